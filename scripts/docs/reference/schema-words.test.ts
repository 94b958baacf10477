import { expect, test } from 'vitest';
import { boundWords, typeWords } from './schema-words.ts';

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ type: ['string', 'null'], format: 'uuid' }, 'string (uuid) or null'],
  [{ type: 'array', items: { type: 'string' } }, 'array of strings'],
  [{ type: ['array', 'null'], items: { type: 'object' } }, 'array of objects or null'],
  [{ type: 'array', items: {} }, 'array'],
  [{ type: 'array', items: { type: 'string', format: 'uuid' } }, 'array of strings (uuid)'],
  [{ type: 'object', additionalProperties: true }, 'object'],
  [{ type: 'object', additionalProperties: { type: ['string', 'number'] } }, 'object of strings or numbers'],
  [{ anyOf: [{ type: 'array', items: {} }, { type: 'null' }] }, 'array or null'],
  [{}, 'any value'],
])('the type of %j reads "%s"', (schema, words) => {
  expect(typeWords(schema)).toBe(words);
});

test.each([
  [{ type: 'string' }, []],
  [{ minLength: 1, maxLength: 255 }, ['1 to 255 characters']],
  [{ minimum: 1, maximum: 365 }, ['1 to 365']],
  [{ minimum: 0 }, ['at least 0']],
  [{ maxItems: 20, items: { type: 'string' } }, ['at most 20 items']],
  [
    { minItems: 1, maxItems: 50, items: { maxLength: 255 } },
    ['1 to 50 items', 'each at most 255 characters'],
  ],
  [
    { maxProperties: 50, propertyNames: { maxLength: 64 }, additionalProperties: { minLength: 1 } },
    ['at most 50 fields', 'names at most 64 characters', 'values at least 1 character'],
  ],
  [{ maxLength: 1 }, ['at most 1 character']],
  [{ minLength: 0, maxLength: 1 }, ['0 to 1 character']],
  [{ minItems: 1 }, ['at least 1 item']],
  [{ maxProperties: 1 }, ['at most 1 field']],
  [{ enum: ['a', 'b'], default: 'a' }, ['one of `a`, `b`', 'default `"a"`']],
  [{ default: [] }, ['default `[]`']],
])('the bounds of %j read %j', (schema, words) => {
  expect(boundWords(schema)).toEqual(words);
});

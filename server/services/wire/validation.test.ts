/** Decisions §3.2: 422 bodies in FastAPI's shape, with pydantic v2's names, every error listed. */
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { InitializeRequest, VerificationListQuery } from '../../contract/v3.ts';
import { compile } from './validation.ts';

const check = compile(InitializeRequest, 'body');
const repeat = (n: number, text = 'x') => text.repeat(n);
const fields = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 1]));

describe('each type of finding', () => {
  it.each<[string, unknown, unknown]>([
    [
      'string_type',
      { origin: 1 },
      { loc: ['body', 'origin'], msg: 'Input should be a valid string', input: 1 },
    ],
    [
      'int_type',
      { expire_in_days: '5' },
      { loc: ['body', 'expire_in_days'], msg: 'Input should be a valid integer', input: '5' },
    ],
    [
      'int_type',
      { expire_in_days: 1.5 },
      { loc: ['body', 'expire_in_days'], msg: 'Input should be a valid integer', input: 1.5 },
    ],
    [
      'bool_type',
      { auto_return: 'true' },
      { loc: ['body', 'auto_return'], msg: 'Input should be a valid boolean', input: 'true' },
    ],
    [
      'dict_type',
      { metadata: [1] },
      { loc: ['body', 'metadata'], msg: 'Input should be a valid dictionary', input: [1] },
    ],
    [
      'list_type',
      { include_groups: 'g' },
      { loc: ['body', 'include_groups'], msg: 'Input should be a valid list', input: 'g' },
    ],
    [
      'string_too_short',
      { external_id: '' },
      {
        loc: ['body', 'external_id'],
        msg: 'String should have at least 1 character',
        input: '',
        ctx: { min_length: 1 },
      },
    ],
    [
      'string_too_long',
      { group: repeat(256) },
      {
        loc: ['body', 'group'],
        msg: 'String should have at most 255 characters',
        input: repeat(256),
        ctx: { max_length: 255 },
      },
    ],
    [
      'too_short',
      { include_groups: [] },
      {
        loc: ['body', 'include_groups'],
        msg: 'List should have at least 1 item after validation, not 0',
        input: [],
        ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
      },
    ],
    [
      'too_long',
      { include_groups: Array.from({ length: 51 }, () => 'g') },
      {
        loc: ['body', 'include_groups'],
        msg: 'List should have at most 50 items after validation, not 51',
        input: Array.from({ length: 51 }, () => 'g'),
        ctx: { field_type: 'List', max_length: 50, actual_length: 51 },
      },
    ],
    [
      'greater_than_equal',
      { expire_in_days: 0 },
      {
        loc: ['body', 'expire_in_days'],
        msg: 'Input should be greater than or equal to 1',
        input: 0,
        ctx: { ge: 1 },
      },
    ],
    [
      'less_than_equal',
      { expire_in_days: 366 },
      {
        loc: ['body', 'expire_in_days'],
        msg: 'Input should be less than or equal to 365',
        input: 366,
        ctx: { le: 365 },
      },
    ],
  ])('%s for %o', (type, body, finding) => {
    expect(check(body)).toEqual([{ type, ...(finding as object) }]);
  });

  it('uuid_parsing', () => {
    expect(check({ verification_id: 'x' })).toMatchObject([
      {
        type: 'uuid_parsing',
        loc: ['body', 'verification_id'],
        input: 'x',
        ctx: { error: expect.any(String) as unknown },
      },
    ]);
  });

  it('literal_error', () => {
    const status = Type.Object({
      status: Type.Unsafe<string>({ type: 'string', enum: ['approved', 'denied'] }),
    });
    expect(compile(status, 'body')({ status: 'maybe' })).toEqual([
      {
        type: 'literal_error',
        loc: ['body', 'status'],
        msg: "Input should be 'approved' or 'denied'",
        input: 'maybe',
        ctx: { expected: "'approved' or 'denied'" },
      },
    ]);
  });

  it('missing: a field, with the object that lacks it as its input', () => {
    const both = Type.Object({ a: Type.String(), b: Type.Object({ c: Type.String() }) });
    expect(compile(both, 'body')({ b: {} })).toEqual([
      { type: 'missing', loc: ['body', 'a'], msg: 'Field required', input: { b: {} } },
      { type: 'missing', loc: ['body', 'b', 'c'], msg: 'Field required', input: {} },
    ]);
  });

  it.each([undefined, null])('missing: the whole body (%s)', (body) => {
    expect(check(body)).toEqual([{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }]);
  });

  it('string_pattern_mismatch', () => {
    const digits = Type.Object({ code: Type.String({ pattern: '^\\d{6}$' }) });
    expect(compile(digits, 'body')({ code: 'x' })).toEqual([
      {
        type: 'string_pattern_mismatch',
        loc: ['body', 'code'],
        msg: "String should match pattern '^\\d{6}$'",
        input: 'x',
        ctx: { pattern: '^\\d{6}$' },
      },
    ]);
  });

  it.each([[[]], ['text'], [5], [true]])('dict_type: a body that is not an object (%j)', (body) => {
    expect(check(body)).toMatchObject([{ type: 'dict_type', loc: ['body'] }]);
  });
});

describe('every finding is listed', () => {
  it('of several fields, and of several items', () => {
    const findings = check({
      origin: 1,
      auto_return: 1,
      include_groups: ['ok', '', 5],
      pass_params: { a: 1, b: 'ok', c: null },
    });
    expect(findings.map(({ loc, type }) => [loc.join('.'), type]).toSorted()).toEqual([
      ['body.auto_return', 'bool_type'],
      ['body.include_groups.1', 'string_too_short'],
      ['body.include_groups.2', 'string_type'],
      ['body.origin', 'string_type'],
      ['body.pass_params.a', 'string_type'],
      ['body.pass_params.c', 'string_type'],
    ]);
  });

  it('an index is a number in loc, a key that looks like one is text', () => {
    expect(check({ include_groups: [''] })[0]?.loc).toEqual(['body', 'include_groups', 0]);
    expect(check({ pass_params: { 0: 1 } })[0]?.loc).toEqual(['body', 'pass_params', '0']);
  });

  it('a key with slashes and tildes is reported unchanged', () => {
    expect(check({ pass_params: { 'a/b~c': 1 } })[0]?.loc).toEqual(['body', 'pass_params', 'a/b~c']);
  });
});

describe('contract, initialize rule 11: the limits of metadata', () => {
  it.each([
    {},
    fields(50),
    { [repeat(64)]: 1 },
    { k: repeat(1_024) },
    { k: repeat(1_024, '🎟') },
    { a: 'x', b: 1.5, c: false, d: 0, e: -1 },
  ])('%#: within the limits', (metadata) => {
    expect(check({ metadata })).toEqual([]);
  });

  it.each<[unknown, string, (string | number)[]]>([
    [fields(51), 'too_long', ['body', 'metadata']],
    [{ '': 1 }, 'string_too_short', ['body', 'metadata', '', '[key]']],
    [{ [repeat(65)]: 1 }, 'string_too_long', ['body', 'metadata', repeat(65), '[key]']],
    [{ k: '' }, 'string_too_short', ['body', 'metadata', 'k']],
    [{ k: repeat(1_025) }, 'string_too_long', ['body', 'metadata', 'k']],
    [{ k: {} }, 'string_type', ['body', 'metadata', 'k']],
    [{ k: [] }, 'string_type', ['body', 'metadata', 'k']],
    [{ k: null }, 'string_type', ['body', 'metadata', 'k']],
  ])('%#: beyond the limits', (metadata, type, loc) => {
    expect(check({ metadata })).toMatchObject([{ type, loc }]);
  });
});

describe('contract, Limits: lengths count characters, not bytes', () => {
  it('at the limit and beyond it', () => {
    expect(check({ external_id: repeat(255, 'é'), group: repeat(255, '🎟') })).toEqual([]);
    expect(check({ external_id: repeat(256, '🎟') })).toMatchObject([{ type: 'string_too_long' }]);
    expect(check({ include_groups: [repeat(255)] })).toEqual([]);
    expect(check({ include_groups: [repeat(256)] })).toMatchObject([{ type: 'string_too_long' }]);
  });
});

describe('§1.4: bodies are never coerced, queries are', () => {
  const page = Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 25 }),
    offset: Type.Integer({ minimum: 0, default: 0 }),
  });

  it.each([
    { expire_in_days: '5' },
    { expire_in_days: true },
    { auto_return: 1 },
    { auto_return: 'false' },
    { origin: 5 },
    { include_groups: 'g' },
  ])('a body is not changed: %o', (body) => {
    const sent = structuredClone(body);
    expect(check(body)).not.toEqual([]);
    expect(body).toEqual(sent);
  });

  it('unknown fields are ignored and kept', () => {
    const body = { unknown: { deep: 1 }, origin: 'example.com' };
    expect(check(body)).toEqual([]);
    expect(body).toEqual({ unknown: { deep: 1 }, origin: 'example.com' });
  });

  it('a query is converted to numbers and filled with defaults', () => {
    const query: Record<string, unknown> = { limit: '200' };
    expect(compile(page, 'query')(query)).toEqual([]);
    expect(query).toEqual({ limit: 200, offset: 0 });
  });

  it.each(['', 'x', '1.5', 'true', 'NaN'])('int_parsing: a query of %j', (limit) => {
    expect(compile(page, 'query')({ limit })).toEqual([
      {
        type: 'int_parsing',
        loc: ['query', 'limit'],
        msg: 'Input should be a valid integer, unable to parse string as an integer',
        input: limit,
      },
    ]);
  });

  it.each([
    [{ limit: '0' }, 'greater_than_equal', 'limit'],
    [{ limit: '201' }, 'less_than_equal', 'limit'],
    [{ offset: '-1' }, 'greater_than_equal', 'offset'],
  ])('the bounds of a query: %o', (query, type, field) => {
    expect(compile(page, 'query')(query)).toMatchObject([{ type, loc: ['query', field] }]);
  });
});

describe('an integer in a query (decisions §1.4)', () => {
  const ofQuery = compile(VerificationListQuery, 'query');

  it.each(['5', '+5', ' 5 ', '5.0', '005'])('is read from %j', (limit) => {
    const query = { limit };
    expect(ofQuery(query)).toEqual([]);
    expect(query).toMatchObject({ limit: 5, offset: 0 });
  });

  it.each(['', ' ', '1e1', '0x10', '5.5', '1_0', '٥', 'true', 'Infinity', 'NaN'])(
    'is int_parsing, and nothing else, for %j',
    (limit) => {
      expect(ofQuery({ limit, offset: '-1' })).toEqual([
        {
          type: 'int_parsing',
          loc: ['query', 'limit'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
          input: limit,
        },
        expect.objectContaining({ type: 'greater_than_equal', loc: ['query', 'offset'] }),
      ]);
    },
  );
});

describe('text that is no text', () => {
  const loose = compile(Type.Object({}, { additionalProperties: true }), 'body');

  it.each([
    [{ a: '\ud800' }, ['body', 'a']],
    [{ a: [{ b: 'x\udfff' }] }, ['body', 'a', 0, 'b']],
    [{ '\udc00': 1 }, ['body', '[key]']],
  ])('half a surrogate pair is refused wherever it stands: %j', (value, loc) => {
    expect(loose(value)).toEqual([expect.objectContaining({ type: 'string_unicode', loc })]);
  });

  it('a body that is nested deeper than the stack is read', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(30_000)}"x"${'}'.repeat(30_000)}`) as object;
    expect(loose(deep)).toEqual([]);
  });
});

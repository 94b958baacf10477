import { describe, expect, it } from 'vitest';
import { canonicalJson, parseIdempotencyKey } from './idempotency.ts';

describe('the Idempotency-Key header', () => {
  it.each([
    ['"8e03978e-40d5"', '8e03978e-40d5'],
    ['8e03978e-40d5', '8e03978e-40d5'],
    ['  "a b"  ', 'a b'],
    [String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['"a"; q=1', 'a'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
  ])('%s is a key', (header, key) => {
    expect(parseIdempotencyKey(header)).toBe(key);
  });

  it.each(['', '  ', '""', '"a', 'a"', '"a" "b"', '"a", "b"', 'ä', String.raw`"a\b"`, 'x'.repeat(256)])(
    '%s is none',
    (header) => {
      expect(parseIdempotencyKey(header)).toBeNull();
    },
  );
});

it('the same value is the same text, in whatever order and spacing it was sent', () => {
  const one = JSON.parse('{"b": [1, {"y": null, "x": 1.0}], "a": "é"}') as unknown;
  const other = JSON.parse(String.raw`{"a":"\u00e9","b":[1,{"x":1,"y":null}]}`) as unknown;
  expect(canonicalJson(one)).toBe(canonicalJson(other));
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  expect(canonicalJson({ a: '1' })).not.toBe(canonicalJson({ a: 1 }));
});

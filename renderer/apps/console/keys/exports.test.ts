import { expect, test } from 'vitest';
import { exportsOf } from './exports.ts';

const BASE = 'http://127.0.0.1:8700';

test('new test keys come with lines that a shell takes', () => {
  const keys = [
    { kind: 'pk_test', key: 'pk_test_a' },
    { kind: 'sk_test', key: 'sk_test_b' },
    { kind: 'ak_test', key: 'ak_test_c' },
  ];
  expect(exportsOf({ keys }, BASE)).toBe(
    `export BASE=${BASE}\nexport SK_TEST=sk_test_b\nexport AK_TEST=ak_test_c`,
  );
});

test('live keys are never part of lines to paste', () => {
  expect(exportsOf({ keys: [{ kind: 'sk_live', key: 'sk_live_a' }] }, BASE)).toBeNull();
});

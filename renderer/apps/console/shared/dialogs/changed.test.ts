import { expect, test } from 'vitest';
import { withChanges } from './changed.ts';

test('options that somebody else changed, added or removed stay so; those of the form are changed, added or removed', () => {
  const opened = { limit: { kind: 'day' }, phone: { required: true }, collision: 'deny', skip: 1, age: 18 };
  const now = {
    limit: { kind: 'week' },
    phone: { required: true },
    collision: 'deny',
    age: 18,
    region: 'de',
  };
  const stored = { limit: { kind: 'day' }, collision: 'review', skip: 1, age: 18, liveness: 'strict' };
  expect(withChanges<object>(stored, opened, now)).toEqual({
    limit: { kind: 'week' },
    collision: 'review',
    age: 18,
    liveness: 'strict',
    region: 'de',
  });
});

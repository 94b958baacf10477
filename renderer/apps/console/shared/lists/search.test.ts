import { expect, test } from 'vitest';
import { dayRange } from './search.ts';

test('the last day is included completely', () => {
  expect(dayRange({ from: '2026-11-20', to: '2026-11-21' })).toMatchObject({
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
  });
});

test('an invalid day is no filter', () => {
  expect(dayRange({ from: 'soon', to: '2026-13-45' })).toMatchObject({ from: undefined, to: undefined });
});

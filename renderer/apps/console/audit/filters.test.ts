import { expect, test } from 'vitest';
import { auditFilters } from './filters.ts';

test('the last day is included completely', () => {
  expect(auditFilters({ from: '2026-11-20', to: '2026-11-21' })).toMatchObject({
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
  });
});

test('an invalid day is no filter', () => {
  expect(auditFilters({ from: 'soon', to: '2026-13-45' })).toMatchObject({ from: undefined, to: undefined });
});

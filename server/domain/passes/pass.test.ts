import { expect, test } from 'vitest';
import { REASONS } from '../settling/reasons.ts';
import { hasPassedBefore } from './pass.ts';

test('four reasons name an earlier pass of the same person', () => {
  expect(REASONS.filter((reason) => hasPassedBefore([reason]))).toEqual([
    'limit_reached',
    'collision',
    'collision_company',
    'duplicate_account',
  ]);
  expect(hasPassedBefore([])).toBe(false);
});

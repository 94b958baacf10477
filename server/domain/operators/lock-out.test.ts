import { expect, it } from 'vitest';
import { countFailure, type LockOutRule, NO_FAILURES } from './lock-out.ts';

const MINUTE_MS = 60_000;

it('each further round of failures locks twice as long, up to the maximum', () => {
  const rule: LockOutRule = { failures: 5, longestLockMs: 60 * MINUTE_MS };
  let count = NO_FAILURES;
  const locksMs = Array.from({ length: 6 }, () => {
    for (let n = 0; n < rule.failures; n += 1) count = countFailure(count, rule, 0);
    return count.lockedUntil;
  });
  expect(locksMs).toEqual([5, 10, 20, 40, 60, 60].map((minutes) => minutes * MINUTE_MS));
});

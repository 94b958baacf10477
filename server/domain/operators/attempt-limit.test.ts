import { expect, it } from 'vitest';
import { countFailure, type AttemptLimit, NO_FAILURES } from './attempt-limit.ts';

const MINUTE_MS = 60_000;

it('each further round of failures locks twice as long, up to the maximum', () => {
  const limit: AttemptLimit = { failures: 5, longestLockMs: 60 * MINUTE_MS };
  let count = NO_FAILURES;
  const locksMs = Array.from({ length: 6 }, () => {
    for (let n = 0; n < limit.failures; n += 1) count = countFailure(count, limit, 0);
    return count.lockedUntil;
  });
  expect(locksMs).toEqual([5, 10, 20, 40, 60, 60].map((minutes) => minutes * MINUTE_MS));
});

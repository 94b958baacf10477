/**
 * How guessing is slowed down: a lock after a number of failures, doubled in each further round. Times in
 * milliseconds.
 */

export type LockOutRule = {
  /** Failures until it locks. */
  failures: number;
  longestLockMs: number;
};

export type FailureCount = {
  failedAttempts: number;
  /** Locks in a row since the last success. */
  lockRounds: number;
  lockedUntil: number | null;
};

export const NO_FAILURES: FailureCount = { failedAttempts: 0, lockRounds: 0, lockedUntil: null };

const FIRST_LOCK_MS = 5 * 60_000;

/** Length of the lock in a round; rounds count from 1. */
const lockMs = (round: number, { longestLockMs }: LockOutRule): number =>
  Math.min(longestLockMs, FIRST_LOCK_MS * 2 ** (round - 1));

/** Remaining time of a lock; 0 if there is none. Setting the clock back never lengthens it. */
export function lockLeftMs(
  { lockRounds, lockedUntil }: FailureCount,
  rule: LockOutRule,
  now: number,
): number {
  if (lockedUntil === null) return 0;
  return Math.min(lockMs(Math.max(1, lockRounds), rule), Math.max(0, lockedUntil - now));
}

/** Counts one more failure, and locks if it was the last one allowed. */
export function countFailure(before: FailureCount, rule: LockOutRule, now: number): FailureCount {
  const failedAttempts = before.failedAttempts + 1;
  if (failedAttempts < rule.failures) return { ...before, failedAttempts, lockedUntil: null };
  const lockRounds = before.lockRounds + 1;
  return { failedAttempts: 0, lockRounds, lockedUntil: now + lockMs(lockRounds, rule) };
}

/**
 * Takes back failures that turned out not to be failures. Removes their lock only if the same operator caused
 * it.
 * @param ownLock `lockedUntil` of the count after the operator's own attempt
 */
export function takeBack(
  count: FailureCount,
  rule: LockOutRule,
  { failures, ownLock }: { failures: number; ownLock: number | null },
): FailureCount {
  const { failedAttempts, lockRounds, lockedUntil } = count;
  if (lockedUntil === null) return { ...count, failedAttempts: Math.max(0, failedAttempts - failures) };
  if (lockedUntil !== ownLock) return count;
  return {
    failedAttempts: Math.max(0, rule.failures - failures),
    lockRounds: lockRounds - 1,
    lockedUntil: null,
  };
}

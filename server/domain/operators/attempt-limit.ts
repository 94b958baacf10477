/** How guessing is slowed: so many failures, then a lock that doubles with each further round. Times in milliseconds. */

export type AttemptLimit = {
  /** Failures that close it. */
  failures: number;
  longestLockMs: number;
};

export type AttemptCount = {
  failedAttempts: number;
  /** Locks in a row since the last success. */
  lockRounds: number;
  lockedUntil: number | null;
};

export const NO_FAILURES: AttemptCount = { failedAttempts: 0, lockRounds: 0, lockedUntil: null };

export const FIRST_LOCK_MS = 5 * 60_000;

/** Length of the lock of a round, counted from 1. */
export const lockMs = (round: number, { longestLockMs }: AttemptLimit): number =>
  Math.min(longestLockMs, FIRST_LOCK_MS * 2 ** (round - 1));

/** What is left of a lock; 0 where there is none. A clock that was set back never lengthens it. */
export function lockLeftMs(
  { lockRounds, lockedUntil }: AttemptCount,
  limit: AttemptLimit,
  now: number,
): number {
  if (lockedUntil === null) return 0;
  return Math.min(lockMs(Math.max(1, lockRounds), limit), Math.max(0, lockedUntil - now));
}

/** One failure more: the count, and the lock where it was the last one allowed. */
export function countFailure(before: AttemptCount, limit: AttemptLimit, now: number): AttemptCount {
  const failedAttempts = before.failedAttempts + 1;
  if (failedAttempts < limit.failures) return { ...before, failedAttempts, lockedUntil: null };
  const lockRounds = before.lockRounds + 1;
  return { failedAttempts: 0, lockRounds, lockedUntil: now + lockMs(lockRounds, limit) };
}

/**
 * Takes failures back that turned out to be none. A lock goes with them only where the one who takes back caused it.
 * @param ownLock `lockedUntil` of the count that the own attempt left behind
 */
export function takeBack(
  count: AttemptCount,
  limit: AttemptLimit,
  { failures, ownLock }: { failures: number; ownLock: number | null },
): AttemptCount {
  const { failedAttempts, lockRounds, lockedUntil } = count;
  if (lockedUntil === null) return { ...count, failedAttempts: Math.max(0, failedAttempts - failures) };
  if (lockedUntil !== ownLock) return count;
  return {
    failedAttempts: Math.max(0, limit.failures - failures),
    lockRounds: lockRounds - 1,
    lockedUntil: null,
  };
}

/** How far the machine's clock can be trusted (decisions §1.5). Times are epoch milliseconds. */

const DAY_MS = 86_400_000;

/** A clock this far from the last saved time was set by hand, or the service was off for a long time. */
const DOUBT_AFTER_MS = 2 * DAY_MS;

declare const trusted: unique symbol;
/** A time that deletions may rely on. Requires a clock that is not in doubt, or an admin's confirmation. */
export type DeletionTime = number & { readonly [trusted]: true };

/** The instant `ageMs` before a trusted time; older data may be deleted. */
export const olderThan = (time: DeletionTime, ageMs: number): DeletionTime => (time - ageMs) as DeletionTime;

/** For deletions that someone requested and that do not depend on a clock. */
export const ANY_AGE = Number.MAX_SAFE_INTEGER as DeletionTime;

export type ClockDoubt = {
  kind: 'clock_ahead' | 'clock_behind';
  /** The time of the machine's clock. */
  clockMs: number;
  /** The last time saved to the database. */
  seenMs: number;
};

/** Null while the clock agrees with the last saved time. */
export function doubtOf(clockMs: number, seenMs: number): ClockDoubt | null {
  if (Math.abs(clockMs - seenMs) <= DOUBT_AFTER_MS) return null;
  return { kind: clockMs > seenMs ? 'clock_ahead' : 'clock_behind', clockMs, seenMs };
}

/** Removing this many faces at once is normal, however small the total. */
const ORDINARY_FACES = 20;
/** Removing this share of all faces is normal, however large the number. */
const ORDINARY_SHARE = 1 / 5;

/** Whether a run that removes `due` of `total` faces needs an admin's confirmation. */
export const isMassRemoval = (due: number, total: number): boolean =>
  due > ORDINARY_FACES && due > total * ORDINARY_SHARE;

/** The clocks of processes on one database differ by less. */
const SKEW_MS = 5 * 60_000;

/** Whether the time was recorded by a clock that was ahead and has been corrected since. */
const isFromCorrectedClock = (atMs: number, nowMs: number): boolean => atMs > nowMs + SKEW_MS;

/**
 * Whether something with a lifetime of `lifetimeMs`, made at `bornMs`, has expired, even if the clock was corrected
 * since.
 */
export const hasEnded = (bornMs: number, lifetimeMs: number, nowMs: number): boolean =>
  nowMs - bornMs >= lifetimeMs || isFromCorrectedClock(bornMs, nowMs);

/** Longer than any period that a limit or a cap covers. */
const LONGEST_PERIOD_MS = 31 * DAY_MS;

/**
 * Whether a record of usage is so far in the future that only a wrong clock can have made it. Nearer ones
 * count, so that setting the clock back frees no usage.
 */
export const isFarAhead = (atMs: number, nowMs: number): boolean => atMs > nowMs + LONGEST_PERIOD_MS;

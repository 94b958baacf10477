/** How far the machine's clock can be trusted (decisions §1.5). Times are epoch milliseconds. */

const DAY_MS = 86_400_000;

/** A clock this far from the last time that was durably seen has been set, or the service was off for long. */
export const DOUBT_AFTER_MS = 2 * DAY_MS;

declare const trusted: unique symbol;
/** A time that deletions may rely on. Only a clock that is not in doubt, or an admin's confirmation, yields one. */
export type DeletionTime = number & { readonly [trusted]: true };

/** The instant `ageMs` before a trusted time: what is older may be deleted. */
export const olderThan = (time: DeletionTime, ageMs: number): DeletionTime => (time - ageMs) as DeletionTime;

/** For deletions that somebody asked for and that depend on no clock. */
export const ANY_AGE = Number.MAX_SAFE_INTEGER as DeletionTime;

export type ClockDoubt = {
  kind: 'clock_ahead' | 'clock_behind';
  /** What the machine's clock says. */
  clockMs: number;
  /** The last time that was durably seen. */
  seenMs: number;
};

/** Null while the clock agrees with what was seen last. */
export function doubtOf(clockMs: number, seenMs: number): ClockDoubt | null {
  if (Math.abs(clockMs - seenMs) <= DOUBT_AFTER_MS) return null;
  return { kind: clockMs > seenMs ? 'clock_ahead' : 'clock_behind', clockMs, seenMs };
}

/** Removing this many faces at once is ordinary, however few there are. */
const ORDINARY_FACES = 20;
/** So is this share of all faces, however many there are. */
const ORDINARY_SHARE = 1 / 5;

/** Whether a run that removes `due` of `total` faces needs an admin's confirmation. */
export const isMassRemoval = (due: number, total: number): boolean =>
  due > ORDINARY_FACES && due > total * ORDINARY_SHARE;

/** Processes on one database differ by less. */
const SKEW_MS = 5 * 60_000;

/** Whether something was stamped by a clock that was ahead then and has been corrected since. */
export const isFromCorrectedClock = (atMs: number, nowMs: number): boolean => atMs > nowMs + SKEW_MS;

/** Whether something that is good for `lifetimeMs` from `bornMs` on has ended, also where the clock was corrected since. */
export const hasEnded = (bornMs: number, lifetimeMs: number, nowMs: number): boolean =>
  nowMs - bornMs >= lifetimeMs || isFromCorrectedClock(bornMs, nowMs);

/** Longer than any period that a limit or a cap counts in. */
const LONGEST_PERIOD_MS = 31 * DAY_MS;

/**
 * Whether a record of usage lies so far ahead that only a clock in doubt can have stamped it. Nearer ones count, so that
 * setting the clock back frees no usage.
 */
export const isFarAhead = (atMs: number, nowMs: number): boolean => atMs > nowMs + LONGEST_PERIOD_MS;

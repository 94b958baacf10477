/** When the day's cap will be reached, if people go on coming as they did in the last hour. */

export const PACE_WINDOW_MS = 3_600_000;
/** Fewer than these in the last hour say nothing about the next. */
const MIN_CHECKS = 3;
const DAY_MS = 86_400_000;

export type UsageForecast = {
  /** Counted checks an hour; null where there were too few to say. */
  perHour: number | null;
  /** Counted checks at the end of the day, ignoring the cap. */
  byMidnight: number | null;
  /** Epoch milliseconds; null where the cap is reached already, or will not be before the day ends. */
  capReachedAt: number | null;
};

/**
 * The pace is that of the last hour, or of the day so far where it is younger: an average over the whole day would
 * still speak of the empty morning when the doors open.
 * @param usage.recent counted checks since `paceSince(nowMs)`
 */
export function forecastUsage(usage: {
  counted: number;
  recent: number;
  cap: number;
  nowMs: number;
}): UsageForecast {
  const { counted, recent, cap, nowMs } = usage;
  const observedMs = nowMs - paceSince(nowMs);
  if (recent < MIN_CHECKS || observedMs <= 0) return { perHour: null, byMidnight: null, capReachedAt: null };
  const perMs = recent / observedMs;
  const endMs = dayEnd(nowMs);
  const reachedAt = nowMs + Math.ceil((cap - counted) / perMs);
  return {
    perHour: Math.round(perMs * PACE_WINDOW_MS),
    byMidnight: Math.round(counted + perMs * (endMs - nowMs)),
    capReachedAt: counted < cap && reachedAt < endMs ? reachedAt : null,
  };
}

/** From when on checks tell the pace: an hour ago, but not before the day began. */
export const paceSince = (nowMs: number): number => Math.max(nowMs - PACE_WINDOW_MS, dayEnd(nowMs) - DAY_MS);

/** The midnight (UTC) that ends the day of an instant. */
export const dayEnd = (atMs: number): number => (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;

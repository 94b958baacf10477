/** When the day's cap will be reached at the pace of the last hour. */

const PACE_WINDOW_MS = 3_600_000;
/** Fewer checks in the last hour do not show a pace. */
const MIN_CHECKS = 3;
const DAY_MS = 86_400_000;

type UsageForecast = {
  /** Counted checks per hour; null if there were too few. */
  perHour: number | null;
  /** Counted checks at the end of the day, ignoring the cap. */
  byMidnight: number | null;
  /** Epoch milliseconds; null if the cap is already reached, or won't be reached today. */
  capReachedAt: number | null;
};

/**
 * The pace is that of the last hour, or of the day so far if that is shorter. An average over the whole day would
 * include the quiet morning when the doors open in the evening.
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

/** Start of the time that the pace is measured over: an hour ago, but not before the day began. */
export const paceSince = (nowMs: number): number => Math.max(nowMs - PACE_WINDOW_MS, dayEnd(nowMs) - DAY_MS);

/** The midnight (UTC) that ends the day of an instant. */
export const dayEnd = (atMs: number): number => (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;

/**
 * The service's time. A browser's own clock may be minutes off, and every countdown and age in the console is about times that the
 * service wrote.
 */

let aheadMs = 0;

/** Of each reply, in epoch milliseconds. */
export function noteServerTime(header: string | null, nowMs = Date.now()): void {
  const serverMs = Number(header);
  if (header !== null && Number.isFinite(serverMs)) aheadMs = serverMs - nowMs;
}

/** The service's time at a time of the browser's clock, in epoch milliseconds; the same until the first reply. */
export const serverTimeOf = (browserMs: number): number => browserMs + aheadMs;

/** A browser's timer cannot wait for much longer than two weeks. */
const DAY_MS = 86_400_000;
/** The clocks agree to some milliseconds only: a little later the service has passed the time for sure. */
const LATER_MS = 250;
const APART_MS = 1_000;

/**
 * Milliseconds until the next time at which an answer changes by the clock alone: when a query asks again.
 * @param times ISO 8601 or epoch milliseconds, of the service
 * @param atMostMs for what changes without an announcement and without a known time
 */
export function untilNext(
  times: readonly (string | number | null | undefined)[],
  atMostMs: number = DAY_MS,
): number {
  const left = times.map((at) =>
    at === null || at === undefined ? NaN : new Date(at).getTime() - serverNowMs(),
  );
  // An answer that came just before the time is asked for once more.
  const next = left.filter((ms) => ms > -2 * LATER_MS).map((ms) => Math.max(APART_MS, ms + LATER_MS));
  return Math.min(atMostMs, ...next);
}

export const serverNowMs = (): number => serverTimeOf(Date.now());

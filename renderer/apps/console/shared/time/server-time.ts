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

export const serverNowMs = (): number => serverTimeOf(Date.now());

/** Sliding windows: how many hits are allowed, and when the next one is. */

export type RateLimit = {
  /** Allowed within any `windowMs`. */
  limit: number;
  windowMs: number;
};

/** What a limit needs to know: the hits after `after`, up to `until`. */
export function windowAt({ windowMs }: Pick<RateLimit, 'windowMs'>, nowMs: number) {
  // Hits in the future, because the clock was set back, still count, unless it was so wrong that they would
  // count for a long time.
  return { after: nowMs - windowMs, until: nowMs + windowMs };
}

/**
 * Time until a hit leaves the window, in milliseconds; never longer than the window, whatever the clock shows.
 */
export function waitFor(hitAt: number, { windowMs }: Pick<RateLimit, 'windowMs'>, nowMs: number): number {
  return Math.min(windowMs, Math.max(1, hitAt + windowMs - nowMs));
}

/** Sliding windows: how much is allowed, and when more is. */

export type RateLimit = {
  /** Allowed within any `windowMs`. */
  limit: number;
  windowMs: number;
};

/** What a limit needs to know: the hits after `after`, up to `until`. */
export function windowAt({ windowMs }: Pick<RateLimit, 'windowMs'>, nowMs: number) {
  // Hits that lie ahead because the clock was set back still count, unless it was so wrong that they would count for
  // long.
  return { after: nowMs - windowMs, until: nowMs + windowMs };
}

/** Time until a hit leaves the window, in milliseconds; never longer than the window, whatever the clock did. */
export function waitFor(hitAt: number, { windowMs }: Pick<RateLimit, 'windowMs'>, nowMs: number): number {
  return Math.min(windowMs, Math.max(1, hitAt + windowMs - nowMs));
}

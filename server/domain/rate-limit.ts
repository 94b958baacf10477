/** Sliding windows: how much of something is allowed, and when there is more of it. */

export type RateLimit = {
  /** Allowed in any stretch of `windowMs`. */
  limit: number;
  windowMs: number;
};

/** The part of a limit that its memory has to answer: hits after `after`, up to `until`. */
export function windowAt({ windowMs }: Pick<RateLimit, 'windowMs'>, nowMs: number) {
  // Hits from after a clock that was set back still count, unless the clock was so far off that they would count for long.
  return { after: nowMs - windowMs, until: nowMs + windowMs };
}

/** Until a hit has left the window, in milliseconds; never longer than the window, whatever the clock did. */
export function waitFor(hitAt: number, { windowMs }: Pick<RateLimit, 'windowMs'>, nowMs: number): number {
  return Math.min(windowMs, Math.max(1, hitAt + windowMs - nowMs));
}

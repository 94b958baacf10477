/** The demo's nights; its runs are grouped by night. */
const DAY_MS = 86_400_000;

/** A big night two weeks ago, already over (`moments.ts` makes it big). */
export const OPENING = { group: 'harbour-opening', daysAgo: 14 } as const;
/** Running now. */
export const TONIGHT = { group: 'harbour-tonight', sinceMs: 9 * 3_600_000 } as const;

/** The night of this time; else the visitor's usual group. */
export function groupAt(at: number, nowMs: number, usual: string): string {
  if (at >= nowMs - TONIGHT.sinceMs) return TONIGHT.group;
  const midnight = Math.floor(nowMs / DAY_MS) * DAY_MS - OPENING.daysAgo * DAY_MS;
  return at >= midnight && at < midnight + DAY_MS ? OPENING.group : usual;
}

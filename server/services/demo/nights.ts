/** The demo's nights, by which its runs are grouped. */
const DAY_MS = 86_400_000;

/** A big night two weeks ago, which is over (`moments.ts` makes it big). */
export const OPENING = { group: 'harbour-opening', daysAgo: 14 } as const;
/** Under way. */
export const TONIGHT = { group: 'harbour-tonight', sinceMs: 9 * 3_600_000 } as const;

/** The night that a moment belongs to; else the group that its visitor always comes with. */
export function groupAt(at: number, nowMs: number, usual: string): string {
  if (at >= nowMs - TONIGHT.sinceMs) return TONIGHT.group;
  const midnight = Math.floor(nowMs / DAY_MS) * DAY_MS - OPENING.daysAgo * DAY_MS;
  return at >= midnight && at < midnight + DAY_MS ? OPENING.group : usual;
}

/** When people come: in the evening, more at the weekend, most on the festival's days, and right now. */
import type { Dice } from './random.ts';
import { DEMO_DAYS } from './size.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Weight of each day, from Sunday. */
const WEEKDAY_WEIGHTS = [5, 2, 2, 3, 4, 9, 10];
/** Weight of each hour, UTC. */
const HOUR_WEIGHTS = [1, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 6, 8, 12, 18, 20, 16, 10, 5, 2];
/** Interval between big events, in days. */
const BIG_EVENT_EVERY = 13;
const BIG_EVENT_FACTOR = 2.5;
/** The last runs, one every few minutes: the door is open. */
const RUNS_NOW = 18;
const NOW_SPACING_MS = 2.4 * MINUTE_MS;
/** Runs planned for later today are moved to this long before now. */
const LATELY_MS = 5 * HOUR_MS;

/** `count` times up to `nowMs`, oldest first. */
export function visits(count: number, nowMs: number, dice: Dice): number[] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DEMO_DAYS }, (_, ago) => {
    const start = today - ago * DAY_MS;
    const weight = WEEKDAY_WEIGHTS[new Date(start).getUTCDay()] ?? 1;
    return [start, ago % BIG_EVENT_EVERY === 1 ? weight * BIG_EVENT_FACTOR : weight] as const;
  });
  const hours = HOUR_WEIGHTS.map((weight, hour) => [hour, weight] as const);
  const now = Array.from({ length: Math.min(count, RUNS_NOW) }, (_, n) =>
    Math.floor(nowMs - (n + dice.next()) * NOW_SPACING_MS),
  );
  const before = Array.from({ length: count - now.length }, () => {
    const at = dice.weighted(days) + dice.weighted(hours) * HOUR_MS + dice.below(HOUR_MS);
    return at < nowMs ? at : nowMs - dice.below(LATELY_MS);
  });
  return [...before, ...now].sort((a, b) => a - b);
}

/** When the demo's company was created. */
export const demoStart = (nowMs: number): number => nowMs - (DEMO_DAYS + 1) * DAY_MS;

// The demo's nights; its runs are grouped by night.

/** A big night two weeks ago, already over (`moments.ts` makes it big). */
export const OPENING = { group: 'harbour-opening', daysAgo: 14 } as const;
/** Running now. */
export const TONIGHT = { group: 'harbour-tonight', sinceMs: 9 * 3_600_000 } as const;

/** The group of the night at this time, or the guest's usual group on other days. */
export function groupAt(at: number, nowMs: number, usual: string): string {
  if (at >= nowMs - TONIGHT.sinceMs) return TONIGHT.group;
  const midnight = Math.floor(nowMs / DAY_MS) * DAY_MS - OPENING.daysAgo * DAY_MS;
  return at >= midnight && at < midnight + DAY_MS ? OPENING.group : usual;
}

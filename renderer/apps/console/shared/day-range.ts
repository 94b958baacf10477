/** Whole days in the address (`from`, `to`) as start and end times. */
import type { Search } from './search.ts';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The API excludes `to`, but the person means the whole last day. */
export const dayRange = (search: Search): { from: string | undefined; to: string | undefined } => ({
  from: dayStart(search['from'], 0),
  to: dayStart(search['to'], DAY_MS),
});

function dayStart(day: string | undefined, laterMs: number): string | undefined {
  if (day === undefined || !DAY.test(day)) return undefined;
  const startMs = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(startMs) ? undefined : new Date(startMs + laterMs).toISOString();
}

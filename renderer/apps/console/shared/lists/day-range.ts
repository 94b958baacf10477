import { fromField } from '../time/field.ts';
import type { Search } from './search.ts';

const DAY_MS = 86_400_000;
export const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Whole days of the venue in the address as start and end times. The API excludes `to`, but the person means the whole last
 * day.
 */
export const dayRange = (search: Search): { from: string | undefined; to: string | undefined } => ({
  from: dayStart(search['from'], 0),
  to: dayStart(search['to'], DAY_MS),
});

/** @param laterMs whole days */
function dayStart(day: string | undefined, laterMs: number): string | undefined {
  const asUtcMs = day !== undefined && DAY.test(day) ? Date.parse(`${day}T00:00Z`) : NaN;
  if (Number.isNaN(asUtcMs)) return undefined;
  // As a date without a zone, so that a day of 23 hours is a day.
  return fromField(new Date(asUtcMs + laterMs).toISOString().slice(0, FIELD_CHARS));
}

/** `YYYY-MM-DDTHH:MM` */
const FIELD_CHARS = 16;

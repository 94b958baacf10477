import { readDay } from '../../../../../server/contract/times.ts';
import { fromField } from '../time/field.ts';
import type { Search } from './search.ts';

const DAY_MS = 86_400_000;

/** A day in the address; undefined if it is not a day, as while its year is being typed. */
export const dayIn = (search: Search, name: string): string | undefined => {
  const text = search[name];
  return text === undefined || readDay(text) === null ? undefined : text;
};

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
  const asUtcMs = readDay(day ?? '');
  if (asUtcMs === null) return undefined;
  // As a date without a zone, so that a day of 23 hours is a day.
  const start = fromField(new Date(asUtcMs + laterMs).toISOString().slice(0, FIELD_CHARS));
  return start === '' ? undefined : start;
}

/** `YYYY-MM-DDTHH:MM` */
const FIELD_CHARS = 16;

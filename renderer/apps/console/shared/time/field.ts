/** Fields for a time, in the venue's zone. Apart from the times, because no page shows one at first. */
import { readTime } from '../../../../../server/contract/times.ts';
import { formatOf } from './time.ts';

/** This computer's zone (IANA name). */
export const ownZone = (): string => new Intl.DateTimeFormat('en').resolvedOptions().timeZone;

/** The zone in which times are shown and entered (IANA name). */
export const shownZone = (): string => formatOf('en', {}).resolvedOptions().timeZone;

const FIELD: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};

/** For a `datetime-local` field: `2030-05-15T18:30`, in the venue's zone; empty for no time. */
export function toField(atMs: number): string {
  if (!Number.isFinite(atMs)) return '';
  const parts = new Map(
    formatOf('en-US', FIELD)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** The time of such a field, ISO 8601 in UTC; empty if it has none, as while the year is being typed. */
export function fromField(text: string): string {
  const at = readTime(text, shownZone());
  return at === null ? '' : new Date(at).toISOString();
}

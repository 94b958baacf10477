/** Fields for a time, in the venue's zone. Apart from the times, because no page shows one at first. */
import { formatOf } from './time.ts';

const MINUTE_MS = 60_000;

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

/** For a `datetime-local` field: `2030-05-15T18:30`, in the venue's zone. */
export function toField(atMs: number): string {
  const parts = new Map(
    formatOf('en-US', FIELD)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** How far the venue's clock is ahead of UTC at that time. */
const aheadMs = (atMs: number): number =>
  Date.parse(`${toField(atMs)}Z`) - Math.floor(atMs / MINUTE_MS) * MINUTE_MS;

/** The time of such a field, ISO 8601 in UTC; empty if it has none. */
export function fromField(text: string): string {
  const asUtcMs = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtcMs)) return '';
  // Where the clock is set in between, the second look counts.
  const nearMs = asUtcMs - aheadMs(asUtcMs);
  return new Date(asUtcMs - aheadMs(nearMs)).toISOString();
}

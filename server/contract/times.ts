/** Reads days and times that people and programs write, for pages, server and command line. Never throws: any other text gives null. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A year outside is a typing error, such as the year 2 after the first digit of 2026. */
export const FIRST_YEAR = 1970;
export const LAST_YEAR = 9999;

const TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?([Zz]|[+-]\d{2}:?\d{2}))?)?$/;

/** Midnight UTC of `YYYY-MM-DD`; null if it is no day of the calendar. */
export function readDay(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match === null ? null : dayMs(match);
}

/** Whether a time depends on where it is meant: it has neither `Z` nor an offset. */
export const isLocalTime = (text: string): boolean => !/[Zz]$|\d:\d{2}.*[+-]\d{2}:?\d{2}$/.test(text.trim());

/**
 * Epoch milliseconds of a time in ISO 8601; null for any other text, or a day or an hour that does not exist. A day alone is
 * its start.
 * @param zone IANA name, for times without an offset; this machine's if undefined. A time that the clock skips is that much
 *   later, and of a repeated hour the first counts.
 */
export function readTime(text: string, zone: string | undefined): number | null {
  const match = TIME.exec(text.trim());
  if (match === null) return null;
  const day = dayMs(match);
  const [hour, minute, second] = [match[4], match[5], match[6]].map((part) => Number(part ?? 0));
  const [h = 0, m = 0, s = 0] = [hour, minute, second];
  if (day === null || h > 23 || m > 59 || s > 59) return null;
  const fractionMs = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1_000);
  const wall = day + ((h * 60 + m) * 60 + s) * 1_000 + fractionMs;
  const offset = match[8];
  if (offset === undefined) return fromWall(wall, zone);
  const aheadMs = offsetMs(offset);
  return aheadMs === null ? null : wall - aheadMs;
}

function dayMs([, year, month, day]: readonly string[]): number | null {
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const isReal = new Date(at).toISOString().slice(0, 10) === `${year}-${month}-${day}`;
  return isReal && Number(year) >= FIRST_YEAR && Number(year) <= LAST_YEAR ? at : null;
}

/** How far an offset such as `+05:45` is ahead of UTC. */
function offsetMs(text: string): number | null {
  if (/^z$/i.test(text)) return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** The time at which clocks in the zone show `wall`, which counts as if they showed UTC. */
function fromWall(wall: number, zone: string | undefined): number | null {
  const ahead = [wall - DAY_MS, wall + DAY_MS].map((near) => wallOf(near, zone) - near);
  const [before = 0] = ahead;
  if (ahead.some(Number.isNaN)) return null;
  const shown = ahead.map((ms) => wall - ms).filter((at) => wallOf(at, zone) === wall);
  return shown.length === 0 ? wall - before : Math.min(...shown);
}

const clocks = new Map<string, Intl.DateTimeFormat | null>();

function clockOf(zone: string | undefined): Intl.DateTimeFormat | null {
  const key = zone ?? '';
  const known = clocks.get(key);
  if (known !== undefined) return known;
  const made = makeClock(zone);
  clocks.set(key, made);
  return made;
}

function makeClock(zone: string | undefined): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...(zone !== undefined && { timeZone: zone }),
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch {
    return null;
  }
}

/** What clocks in the zone show at a time, as if they showed UTC; NaN if there is no such zone. */
export function wallOf(atMs: number, zone: string | undefined): number {
  const clock = clockOf(zone);
  if (clock === null || !Number.isFinite(atMs)) return NaN;
  const wholeMs = Math.floor(atMs / 1_000) * 1_000;
  const parts = new Map(clock.formatToParts(wholeMs).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? NaN;
  const day = Date.UTC(part('year'), part('month') - 1, part('day'));
  return day + ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1_000 + (atMs - wholeMs);
}

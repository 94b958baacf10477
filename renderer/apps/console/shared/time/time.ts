/** Times in words: relative up to an hour, then in the venue's time zone. */
import { dateLocale, type Language } from '../../../../i18n/language.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Nearly all zones set their clocks back by an hour, Lord Howe by half of one. */
const SET_BACK_MS = [HOUR_MS, HOUR_MS / 2];

/** IANA name; null for the browser's own, undefined until it is known. */
export type VenueZone = string | null | undefined;

let current: VenueZone;
const listeners = new Set<() => void>();

export const venueZone = (): VenueZone => current;

/** The zone in which times are shown and taken. Calls the listeners of `followVenueZone`. */
export function setVenueZone(zone: VenueZone): void {
  if (zone === current) return;
  current = zone;
  for (const listener of listeners) listener();
}

export function followVenueZone(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A format in the venue's zone, unless the options name another. Kept, because making one takes longer than all else in
 * a table's row.
 */
export function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const whole = current ? { timeZone: current, ...options } : options;
  const key = JSON.stringify([language, whole]);
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(dateLocale(language), whole);
  formats.set(key, made);
  return made;
}

const dayOf = (time: Date): string =>
  formatOf('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(time);

/** Shown where a value is no time: formats throw for it, and would take the page with them. */
const NO_TIME = '–';

/** The last tick of the page's clock; the present moment for a time after it, which would read as one to come. */
export const nowFor = (iso: string, tickMs: number, readMs: () => number): number =>
  Date.parse(iso) > tickMs ? readMs() : tickMs;

/** Whether the time is less than a minute ago. */
export function isJustNow(iso: string, nowMs: number): boolean {
  const agoMs = nowMs - Date.parse(iso);
  return agoMs >= 0 && agoMs < MINUTE_MS;
}

/**
 * @param iso ISO 8601
 * @param nowMs epoch milliseconds
 * @returns "5 minutes ago" within the hour (past or future), "14:05" today, "20 Nov, 14:05", with the year if it
 * differs
 */
export function timeInWords(iso: string, nowMs: number, language: Language): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return NO_TIME;
  const awayMs = time.getTime() - nowMs;
  if (Math.abs(awayMs) < HOUR_MS) {
    const minutes = Math.trunc(awayMs / MINUTE_MS);
    return new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'long' }).format(
      minutes,
      'minute',
    );
  }
  const now = new Date(nowMs);
  if (dayOf(time) === dayOf(now)) return clockTime(iso, language);
  const otherYear = dayOf(time).slice(0, 4) !== dayOf(now).slice(0, 4);
  const day = format(
    time,
    { day: 'numeric', month: 'short', ...(otherYear ? { year: 'numeric' } : {}) },
    language,
  );
  return `${day}, ${clockTime(iso, language)}`;
}

/** From one time to another in the venue's zone, with the day of each where they differ. */
export const rangeInWords = (from: string, to: string, language: Language): string =>
  [from, to].some((iso) => Number.isNaN(Date.parse(iso)))
    ? NO_TIME
    : formatOf(language, {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
      }).formatRange(new Date(from), new Date(to));

/** The exact time in the venue's zone. */
export const exactTime = (iso: string, language: Language): string =>
  withZone(iso, format(new Date(iso), { dateStyle: 'medium', timeStyle: 'medium' }, language), language);

/** The day, with its year, and the time in the venue's zone. */
export const dayAndTime = (iso: string, language: Language): string =>
  withZone(iso, format(new Date(iso), { dateStyle: 'medium', timeStyle: 'short' }, language), language);

/** The day in the venue's zone. */
export const longDay = (iso: string, language: Language): string =>
  format(new Date(iso), { dateStyle: 'long' }, language);

/** Hours and minutes in the venue's zone. */
export const clockTime = (iso: string, language: Language): string =>
  withZone(iso, format(new Date(iso), { timeStyle: 'short' }, language), language);

/** When a clock goes back, an hour comes twice: the zone then tells which one is meant. */
function withZone(iso: string, text: string, language: Language): string {
  const at = Date.parse(iso);
  const wall = (ms: number): string =>
    format(new Date(ms), { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' }, 'en');
  if (Number.isNaN(at) || !SET_BACK_MS.some((by) => [at - by, at + by].some((ms) => wall(ms) === wall(at))))
    return text;
  const parts = formatOf(language, { hour: 'numeric', timeZoneName: 'short' }).formatToParts(at);
  return `${text} ${parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''}`;
}

/** The day and the start of the hour, in the venue's zone. */
export const hourInWords = (iso: string, language: Language): string =>
  `${format(new Date(iso), { day: 'numeric', month: 'short' }, language)}, ${clockTime(iso, language)}`;

/** The exact time in UTC, without naming the zone. */
export const utcTime = (iso: string, language: Language): string =>
  format(new Date(iso), { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }, language);

/** A day of the calendar, which has no zone. */
export const calendarDay = (day: string, options: Intl.DateTimeFormatOptions, language: Language): string =>
  format(new Date(day), { ...options, timeZone: 'UTC' }, language);

const format = (time: Date, options: Intl.DateTimeFormatOptions, language: Language): string =>
  Number.isNaN(time.getTime()) ? NO_TIME : formatOf(language, options).format(time);

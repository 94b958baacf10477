/** The languages of the pages, and days and amounts of time in words. */
import {
  type Language,
  LANGUAGE_NAMES,
  LANGUAGES,
  EVERY_LANGUAGE,
  isLanguage,
  LANGUAGE_META,
  type LanguageOffer,
} from '../../server/contract/languages.ts';

export { type Language, LANGUAGE_NAMES, LANGUAGES };

/** Writing direction of a language, for the `dir` attribute. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return /^(ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr';
}

/** Days in words of the largest unit that divides them: 1095 → "3 years", 30 → "30 days". Null for none. */
export function durationInWords(days: number, language: Language): string | null {
  if (days <= 0) return null;
  const [value, unit] = days % 365 === 0 ? [days / 365, 'year'] : [days, 'day'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** "in 40 minutes", "in 5 hours": rounded up, so that nobody who returns on time is refused. */
export function waitInWords(seconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  if (seconds > HOUR_S) return format.format(Math.ceil(seconds / HOUR_S), 'hour');
  return format.format(Math.max(1, Math.ceil(seconds / MINUTE_S)), 'minute');
}

/**
 * The locale of dates and times. English is read everywhere, and “23 Nov 2026, 18:30” means the same everywhere, unlike
 * the order and the clock of the United States, which browsers use for “en”.
 */
export const dateLocale = (language: string): string => (language === 'en' ? 'en-GB' : language);

/** A value that is no time is a dash: formats throw for it, and would take the page with them. */
const formatted = (time: Date, options: Intl.DateTimeFormatOptions, language: string): string =>
  Number.isNaN(time.getTime()) ? '–' : new Intl.DateTimeFormat(dateLocale(language), options).format(time);

/** The day of an ISO 8601 time, in words and in the device’s time zone. */
export const dayInWords = (time: string, language: Language): string =>
  formatted(new Date(time), { dateStyle: 'long' }, language);

/**
 * "Friday 20 November, 19:30" in the device’s time zone, with the year if it is another one. The weekday alone would name
 * the next one.
 */
export function weekdayAndTime(time: string, nowMs: number, language: Language): string {
  const at = new Date(time);
  const isThisYear = at.getFullYear() === new Date(nowMs).getFullYear();
  const part = (options: Intl.DateTimeFormatOptions) => formatted(at, options, language);
  const day = part({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  });
  return `${day}, ${part({ timeStyle: 'short' })}`;
}

/** "19:30" in the device’s time zone. */
export const timeOfDay = (time: string, language: Language): string =>
  formatted(new Date(time), { timeStyle: 'short' }, language);

/**
 * The languages that a page offers, from its document. Leaves out a language without a catalogue, as a newer server may name.
 * @param contentOf content of the `<meta>` element with that name; null if there is none
 */
export function offerOf(contentOf: (name: string) => string | null): LanguageOffer {
  const offered = (contentOf(LANGUAGE_META.offered) ?? '').split(' ').filter(isLanguage);
  const [first] = offered;
  if (first === undefined) return EVERY_LANGUAGE;
  const named = contentOf(LANGUAGE_META.defaultLanguage);
  return { offered, default_language: offered.find((language) => language === named) ?? first };
}

export const readOffer = (page: Document): LanguageOffer =>
  offerOf((name) => page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null);

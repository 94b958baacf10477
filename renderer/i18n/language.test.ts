import { expect, test } from 'vitest';
import { EVERY_LANGUAGE, LANGUAGE_META } from '../../server/contract/languages.ts';
import { dayInWords, directionOf, durationInWords, offerOf, weekdayAndTime } from './language.ts';

test('durations are written in words of the language', () => {
  expect(durationInWords(1095, 'en')).toBe('3 years');
  expect(durationInWords(1, 'de')).toBe('1 Tag');
  expect(durationInWords(30, 'fr')).toMatch(/^30\sjours$/);
  expect(durationInWords(0, 'en')).toBeNull();
});

test('a day is written in words of the language', () => {
  const noon = '2026-11-21T12:00:00.000Z';
  expect(dayInWords(noon, 'de')).toBe('21. November 2026');
  expect(dayInWords(noon, 'es')).toBe('21 de noviembre de 2026');
  expect(dayInWords(noon, 'en')).toBe('21 November 2026');
});

test('the start of an event has its weekday, date and a time of 24 hours, in every language', () => {
  const start = (year: number) => new Date(year, 10, 20, 19, 30).toISOString();
  const nowMs = Date.parse('2026-11-01T12:00:00.000Z');
  expect(weekdayAndTime(start(2026), nowMs, 'en')).toBe('Friday 20 November, 19:30');
  expect(weekdayAndTime(start(2026), nowMs, 'de')).toBe('Freitag, 20. November, 19:30');
  expect(weekdayAndTime(start(2027), nowMs, 'en')).toBe('Saturday, 20 November 2027, 19:30');
});

test('a value that is no time is a dash, never an error', () => {
  expect(dayInWords('garbage', 'de')).toBe('–');
  expect(weekdayAndTime('', 0, 'en')).toBe('–, –');
});

test('writing direction follows the language', () => {
  expect(directionOf('de')).toBe('ltr');
  expect(directionOf('ar-EG')).toBe('rtl');
});

const said = (offered: string | null, fallback: string | null) =>
  offerOf((name) => (name === LANGUAGE_META.offered ? offered : fallback));

test('a page offers the languages in its document, and no more', () => {
  expect(said('es de', 'de')).toEqual({ offered: ['es', 'de'], default_language: 'de' });
});

test('a language without a catalogue is left out, even as the default', () => {
  expect(said('pt es', 'pt')).toEqual({ offered: ['es'], default_language: 'es' });
});

test('a document without languages offers every language', () => {
  expect(said(null, null)).toEqual(EVERY_LANGUAGE);
  expect(said('pt', 'pt')).toEqual(EVERY_LANGUAGE);
});

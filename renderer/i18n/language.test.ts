import { expect, test } from 'vitest';
import { browserFamily } from './browser.ts';
import { dayInWords, directionOf, durationInWords } from './language.ts';

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
});

test('writing direction follows the language', () => {
  expect(directionOf('de')).toBe('ltr');
  expect(directionOf('ar-EG')).toBe('rtl');
});

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
    'ios_safari',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'ios_other',
  ],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0.0.0 Mobile Safari/537.36', 'android_chrome'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'firefox'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 Edg/140.0', 'desktop_chrome'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'desktop_safari'],
  ['curl/8', 'other'],
] as const)('%s is %s', (userAgent, family) => {
  expect(browserFamily(userAgent)).toBe(family);
});

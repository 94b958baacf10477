import { describe, expect, test } from 'vitest';
import { browserFamily } from './browser.ts';
import { CONSENT_TEXT_VERSION, directionOf, durationInWords, LANGUAGES, MESSAGES } from './language.ts';
import type { Messages } from './messages.ts';

const wordsIn = (...texts: string[]): number =>
  texts
    .join(' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const consentText = ({ consent }: Messages): string[] => [
  consent.title,
  consent.whyTerm,
  consent.why('Organiser'),
  consent.keptTerm,
  consent.kept,
  consent.howLongTerm,
  consent.howLong('3 years'),
  consent.accept,
  consent.decline,
  consent.more,
];

describe.each(LANGUAGES)('%s', (language) => {
  const messages = MESSAGES[language];

  test('asks for consent in at most 60 words', () => {
    expect(wordsIn(...consentText(messages))).toBeLessThanOrEqual(60);
  });

  test('instructs in at most five words', () => {
    const { steps, hints, lookStraight, holdStill } = messages.capture;
    for (const text of [...Object.values(steps), ...Object.values(hints), lookStraight, holdStill]) {
      expect(wordsIn(text), text).toBeLessThanOrEqual(5);
    }
  });

  test('uses no word of the trade', () => {
    const everything = JSON.stringify(messages).toLowerCase();
    expect(everything).not.toMatch(/liveness|collision|template|biometr|spoofing/);
  });
});

test('a changed consent text has a new version', async () => {
  const texts = LANGUAGES.map((language) => [
    ...consentText(MESSAGES[language]),
    MESSAGES[language].consent.howLong(null),
    ...MESSAGES[language].consent.details('Organiser'),
  ]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(texts)));
  const hash = Array.from(new Uint8Array(digest, 0, 6), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  expect({ version: CONSENT_TEXT_VERSION, hash }).toMatchInlineSnapshot(`
    {
      "hash": "64fd2bb6f66e",
      "version": "hosted-2026-11",
    }
  `);
});

test('durations are words of the language', () => {
  expect(durationInWords(1095, 'en')).toBe('3 years');
  expect(durationInWords(1, 'de')).toBe('1 Tag');
  expect(durationInWords(30, 'fr')).toMatch(/^30\sjours$/);
  expect(durationInWords(0, 'en')).toBeNull();
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

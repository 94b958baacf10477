import { describe, expect, test } from 'vitest';
import { KIOSK_LANGUAGES } from '../../../server/contract/kiosk.ts';
import { durationInWords, MESSAGES } from '../language.ts';
import { KIOSK_WORDS } from './kiosk-words.ts';

/** What can be read at once, standing (design, "Before the camera"). */
const MAX_CONSENT_WORDS = 60;

describe.each(KIOSK_LANGUAGES)('%s', (language) => {
  const words = KIOSK_WORDS[language];
  const { consent } = MESSAGES[language];

  test('tells before the camera what, why, how long, how to erase and the other way, in few words', () => {
    const said = [
      consent.why('Venue'),
      consent.kept,
      consent.howLong(durationInWords(30, language)),
      words.consent.erase('Venue'),
      words.consent.instead,
    ].join(' ');
    expect(said).toContain('Venue');
    expect(said.split(/\s+/).length).toBeLessThanOrEqual(MAX_CONSENT_WORDS);
  });

  test('every hint and trouble has a title that fits a line', () => {
    for (const { title } of [...Object.values(words.hints), ...Object.values(words.trouble)]) {
      expect(title.length).toBeLessThanOrEqual(40);
      expect(title).not.toBe('');
    }
  });

  test('uses no word of the trade, and blames nobody', () => {
    expect(JSON.stringify(words).toLowerCase()).not.toMatch(
      /liveness|collision|template|biometr|spoof|fraud/,
    );
  });
});

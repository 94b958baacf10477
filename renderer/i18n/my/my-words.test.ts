import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../language.ts';
import { dayInWords, MY_WORDS } from './my-words.ts';

describe.each(LANGUAGES)('%s', (language) => {
  const words = MY_WORDS[language];

  test('names the organiser in each question and each answer', () => {
    const { confirmDisconnect, confirmErase, said } = words;
    for (const { title, lines } of [confirmDisconnect, confirmErase]) {
      expect(title('Venue')).toContain('Venue');
      expect(lines('Venue').join(' ')).toContain('Venue');
    }
    expect(said.disconnected('Venue')).toContain('Venue');
    expect(said.erased('Venue')).toContain('Venue');
  });

  test('uses no word of the trade', () => {
    const { title, lines } = words.confirmErase;
    const everything = JSON.stringify([words, title('V'), lines('V')]).toLowerCase();
    expect(everything).not.toMatch(/liveness|collision|template|biometr|spoofing/);
  });
});

test('a day is told in the words of the language', () => {
  const noon = '2026-11-21T12:00:00.000Z';
  expect(dayInWords(noon, 'de')).toBe('21. November 2026');
  expect(dayInWords(noon, 'es')).toBe('21 de noviembre de 2026');
});

import { expect, test } from 'vitest';
import { durationInWords } from './Age.tsx';

const MINUTE_MS = 60_000;

test.each([
  [0, '1 min'],
  [59.9, '59 min'],
  [60, '1 hr'],
  [185, '3 hr 5 min'],
  [52 * 60, '2 days 4 hr'],
])('%s minutes are "%s"', (minutes, words) => {
  expect(durationInWords(minutes * MINUTE_MS, 'en')).toBe(words);
});

test('each language has its own units', () => {
  expect(durationInWords(185 * MINUTE_MS, 'de')).toBe('3 Std. 5 Min.');
});

import { expect, it } from 'vitest';
import { leftInWords } from './Countdown.tsx';

it.each([
  [604_800_000, '7 days'],
  [604_799_000, '7 days'],
  [601_200_000, '6 days 23 hr'],
  [86_399_000, '24 hr'],
  [86_400_000, '24 hr'],
  [90_000_000, '1 day 1 hr'],
  [86_300_000, '23 hr 58 min'],
  [3_599_900, '1 hr'],
  [61_000, '1 min 1 sec'],
  [60_000, '1 min'],
  [900, '1 sec'],
  [0, '0 sec'],
  [-5_000, '0 sec'],
  [NaN, '0 sec'],
])('%i ms are %s', (leftMs, words) => {
  expect(leftInWords(leftMs, 'en')).toBe(words);
});

import { expect, it } from 'vitest';
import { leftInWords } from './Countdown.tsx';

it.each([
  [604_800_000, '7 days 0 hr'],
  [86_399_000, '23 hr 59 min'],
  [61_000, '1 min 1 sec'],
  [900, '0 sec'],
  [-5_000, '0 sec'],
  [NaN, '0 sec'],
])('%i ms are %s', (leftMs, words) => {
  expect(leftInWords(leftMs, 'en')).toBe(words);
});

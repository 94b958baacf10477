import { expect, test } from 'vitest';
import { mean, median } from './statistics.ts';

test('the median is the middle one, or between the two in the middle', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('of no values both are 0', () => {
  expect(median([])).toBe(0);
  expect(mean([])).toBe(0);
});

import { expect, test } from 'vitest';
import { mean, median } from './statistics.ts';

test('the median is the middle value, or between the two middle values', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('without values both are 0', () => {
  expect(median([])).toBe(0);
  expect(mean([])).toBe(0);
});

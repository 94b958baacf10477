import { expect, test } from 'vitest';
import { pictureVerdict } from './picture-test.ts';

test.each([
  [{ mean: 120, spread: 50 }, 'good'],
  [{ mean: 5, spread: 2 }, 'covered'],
  [{ mean: 30, spread: 30 }, 'dark'],
  [{ mean: 240, spread: 10 }, 'bright'],
] as const)('%j is %s', (picture, verdict) => {
  expect(pictureVerdict(picture)).toBe(verdict);
});

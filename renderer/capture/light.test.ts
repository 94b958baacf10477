import { expect, test } from 'vitest';
import { lumaStatistics } from './light.ts';

test('black and white halves have their middle as mean and their distance as spread', () => {
  const rgba = new Uint8ClampedArray([0, 0, 0, 255, 255, 255, 255, 255]);
  const { mean, spread } = lumaStatistics(rgba);
  expect(mean).toBeCloseTo(127.5);
  expect(spread).toBeCloseTo(127.5);
});

test('no pixels are dark, not NaN', () => {
  expect(lumaStatistics(new Uint8ClampedArray())).toEqual({ mean: 0, spread: 0 });
});

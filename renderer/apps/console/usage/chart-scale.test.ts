import { expect, it } from 'vitest';
import { axisValues } from './chart-scale.ts';

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [7, [0, 2, 4, 6, 8]],
  [100, [0, 20, 40, 60, 80, 100]],
  [66_000, [0, 20_000, 40_000, 60_000, 80_000]],
])('an axis up to %i has round lines', (max, values) => {
  expect(axisValues(max)).toEqual(values);
});

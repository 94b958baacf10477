import { expect, test } from 'vitest';
import { HALF, powerSpectrum, SIDE } from './fourier.ts';

/** The sum that defines the transform. */
function powerAt(values: Float64Array, fx: number, fy: number): number {
  let [real, imaginary] = [0, 0];
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const turnRad = (-2 * Math.PI * (fx * x + fy * y)) / SIDE;
      const value = values[y * SIDE + x] ?? 0;
      real += value * Math.cos(turnRad);
      imaginary += value * Math.sin(turnRad);
    }
  }
  return real ** 2 + imaginary ** 2;
}

test('every kind of bin matches the definition', () => {
  let seed = 1;
  const noise = Float64Array.from({ length: SIDE * SIDE }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  });
  const power = powerSpectrum(noise.slice());
  for (const [fx, fy] of [
    [0, 0],
    [HALF, 0],
    [0, HALF],
    [HALF, HALF],
    [1, 0],
    [0, -1],
    [17, 5],
    [17, -5],
    [63, -63],
  ] as const) {
    const row = (fy + SIDE) % SIDE;
    expect(power[row * SIDE + fx]).toBeCloseTo(powerAt(noise, fx, fy), 6);
  }
});

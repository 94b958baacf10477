import { describe, expect, it } from 'vitest';
import { standout, strangerLevel } from './standout.ts';

/** A different person at this cosine to `FACE`. */
const FACE = Float32Array.of(1, 0);
const at = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine));

describe('the level that a face reaches with different people', () => {
  it('is the mean of the ten highest without the very highest', () => {
    const cohort = [0.9, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.3, 0.3, 0.3].map(at);
    const rest = Array.from({ length: 490 }, () => at(-0.2));
    expect(strangerLevel(FACE, [...rest, ...cohort])).toBeCloseTo(0.4, 6);
  });

  it('hardly changes if the person is in the cohort', () => {
    const cohort = Array.from({ length: 500 }, (_, n) => at(n / 1_000));
    expect(strangerLevel(FACE, [FACE, ...cohort.slice(1)]) - strangerLevel(FACE, cohort)).toBeLessThan(0.002);
  });
});

it('stand-out is what exceeds the mean of both faces’ levels', () => {
  expect(standout(0.6, 0.3, 0.4)).toBeCloseTo(0.25, 10);
});

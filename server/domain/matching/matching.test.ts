/** Thresholds by the number enrolled, and the two conditions of a match (docs/explanation/matching.md). */
import { describe, expect, it } from 'vitest';
import { judgeMatch, normalisedMean, standout, strangerLevel, thresholdsFor } from './matching.ts';

const AT_BASE = { near: 0.45, same: 0.55 };

describe('thresholds', () => {
  it.each([
    [0, 0.45, 0.55],
    [1, 0.45, 0.55],
    [999, 0.45, 0.55],
    [1_000, 0.45, 0.55],
    [10_000, 0.5, 0.615],
    [100_000, 0.55, 0.68],
    [1_000_000, 0.6, 0.745],
  ])('among %d enrolled: near from %d, same from %d', (enrolled, near, same) => {
    const thresholds = thresholdsFor(enrolled, AT_BASE);
    expect(thresholds.near).toBeCloseTo(near, 10);
    expect(thresholds.same).toBeCloseTo(same, 10);
  });
});

describe('a match', () => {
  it.each([
    // Without a cohort there is no evidence that a match stands out.
    [0.9, null, 'near'],
    [0.45, null, 'near'],
    [0.449, null, 'other'],
    [0.55, 0.25, 'same'],
    [0.9, 0.249, 'near'],
    [0.9, 0.2, 'near'],
    [0.9, 0.199, 'other'],
    [0.5, 0.4, 'near'],
    [0.44, 0.9, 'other'],
  ] as const)('cosine %d and stand-out %d: %s', (similarity, standout, expected) => {
    expect(judgeMatch(similarity, standout, AT_BASE)).toBe(expected);
  });
});

describe('a mean', () => {
  it('is of unit length and does not change if all inputs are repeated', () => {
    const once = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    expect(normalisedMean(once)).toEqual(Float32Array.of(Math.SQRT1_2, Math.SQRT1_2));
    expect(normalisedMean([...once, ...once])).toEqual(normalisedMean(once));
  });

  it('of nothing is refused', () => {
    expect(() => normalisedMean([])).toThrow(RangeError);
  });
});

/** A different person at this cosine to `FACE`. */
const FACE = Float32Array.of(1, 0);
const at = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine));

describe('the level that a face reaches with different people', () => {
  it('is the mean of the ten highest without the very highest', () => {
    const cohort = [0.9, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.3, 0.3, 0.3].map(at);
    const rest = Array.from({ length: 490 }, () => at(-0.2));
    expect(strangerLevel(FACE, [...rest, ...cohort])).toBeCloseTo(0.4, 6);
  });

  it('barely changes if the person is in the cohort', () => {
    const cohort = Array.from({ length: 500 }, (_, n) => at(n / 1_000));
    expect(strangerLevel(FACE, [FACE, ...cohort.slice(1)]) - strangerLevel(FACE, cohort)).toBeLessThan(0.002);
  });
});

it('stand-out is what exceeds the mean of both faces’ levels', () => {
  expect(standout(0.6, 0.3, 0.4)).toBeCloseTo(0.25, 10);
});

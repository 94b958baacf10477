/** Contract, confirmation `score` (0 to 100, higher is riskier) and `band`; decisions §3.15. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainScore, riskScore } from './score.ts';
import { bandOf } from '../../contract/v3.ts';

const CLEAN = { genuineScore: 1, quality: 1, nearness: 0.5, desktop: false, unsigned: false };
const WORST = { genuineScore: 0, quality: 0, nearness: 1, desktop: true, unsigned: true };

describe('the score', () => {
  it('runs from 0 to 100', () => {
    expect(riskScore(CLEAN)).toBe(0);
    expect(riskScore(WORST)).toBe(100);
    expect(riskScore({ ...WORST, camera: { virtual: true, changed: true } })).toBe(100);
    expect(riskScore({ ...CLEAN, camera: { virtual: false, changed: false } })).toBe(0);
  });

  it.each([
    { genuineScore: 0.2 },
    { quality: 0.2 },
    { nearness: 0.9 },
    { desktop: true },
    { unsigned: true },
    { camera: { virtual: true, changed: false } },
    { camera: { virtual: false, changed: true } },
  ])('rises with every signal: %o', (worse) => {
    expect(riskScore({ ...CLEAN, ...worse })).toBeGreaterThan(0);
  });

  it('is a whole number in range, and the sum of its explanation, for any measurements', () => {
    const signal = fc.double({ min: -1, max: 2, noNaN: true });
    const signals = fc.record({
      genuineScore: signal,
      quality: signal,
      nearness: signal,
      desktop: fc.boolean(),
      unsigned: fc.boolean(),
    });
    fc.assert(
      fc.property(signals, (measured) => {
        const score = riskScore(measured);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
        const sum = Object.values(explainScore(measured)).reduce((total, points) => total + points, 0);
        expect(Math.abs(Math.min(100, sum) - score)).toBeLessThanOrEqual(0.5);
      }),
    );
  });
});

describe('the band', () => {
  it.each([
    [0, 'low'],
    [29, 'low'],
    [30, 'medium'],
    [69, 'medium'],
    [70, 'high'],
    [100, 'high'],
  ])('%i is %s', (score, band) => {
    expect(bandOf(score)).toBe(band);
  });
});

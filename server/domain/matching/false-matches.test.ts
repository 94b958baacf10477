import { describe, expect, it } from 'vitest';
import { expectedFalseCandidates, falseMatchRate } from './false-matches.ts';

describe('the rate of false matches', () => {
  it.each([
    [0.4, 1.7e-4],
    [0.45, 3.3e-5],
    [0.55, 9e-7],
    [0.6, 4e-7],
  ])('at a measured cosine of %d is the measured rate', (cosine, rate) => {
    const found = falseMatchRate(cosine);
    expect(found.rate / rate).toBeCloseTo(1, 9);
    expect(found.extrapolated).toBe(false);
  });

  it('falls with the cosine, between and beyond the measured points', () => {
    const rates = Array.from({ length: 60 }, (_, n) => falseMatchRate(0.3 + n / 100).rate);
    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
    expect(new Set(rates).size).toBe(rates.length);
  });

  it('is marked as extrapolated beyond the measured points', () => {
    expect(falseMatchRate(0.39).extrapolated).toBe(true);
    expect(falseMatchRate(0.61).extrapolated).toBe(true);
  });

  it('is never above one', () => {
    expect(falseMatchRate(-1).rate).toBe(1);
  });
});

it('expected false candidates are as many as people times the rate', () => {
  expect(expectedFalseCandidates(1_000, 0.45)).toBeCloseTo(0.033, 9);
  expect(expectedFalseCandidates(0, 0.45)).toBe(0);
});

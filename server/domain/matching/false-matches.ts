/**
 * How often different people reach a cosine, measured for the bundled embedding model on public photos
 * (`docs/explanation/matching.md`): the upper ends of the intervals. Another model has other rates.
 */

const MEASURED: readonly { cosine: number; rate: number }[] = [
  { cosine: 0.4, rate: 1.7e-4 },
  { cosine: 0.45, rate: 3.3e-5 },
  { cosine: 0.5, rate: 4.8e-6 },
  { cosine: 0.55, rate: 9e-7 },
  { cosine: 0.6, rate: 4e-7 },
];

/** Enrolled people in the measurement's own searches; for more, its rates were multiplied. */
export const MEASURED_ENROLLED = 5_000;

type FalseMatchRate = {
  /** Share of comparisons of two different people. */
  rate: number;
  /** The cosine is outside the measured range. */
  extrapolated: boolean;
};

/**
 * Linear interpolation of the rate's logarithm between the measured points, extrapolated beyond the outer ones.
 */
export function falseMatchRate(cosine: number): FalseMatchRate {
  const after = MEASURED.findIndex((point) => point.cosine >= cosine);
  const upper = after === -1 ? MEASURED.length - 1 : Math.max(1, after);
  const from = MEASURED[upper - 1];
  const to = MEASURED[upper];
  if (!from || !to) throw new RangeError('Two measured points are needed.');
  const share = (cosine - from.cosine) / (to.cosine - from.cosine);
  const logarithm = Math.log(from.rate) + share * (Math.log(to.rate) - Math.log(from.rate));
  const isWithin = cosine >= (MEASURED[0]?.cosine ?? 0) && cosine <= (MEASURED.at(-1)?.cosine ?? 0);
  return { rate: Math.min(1, Math.exp(logarithm)), extrapolated: !isWithin };
}

/**
 * Expected number of different people at or above `cosine` in one search among `enrolled` people, before the
 * stand-out condition.
 */
export function expectedFalseCandidates(enrolled: number, cosine: number): number {
  return enrolled * falseMatchRate(cosine).rate;
}

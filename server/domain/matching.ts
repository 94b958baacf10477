/**
 * When two faces are one person: cosine thresholds that grow with the number of people searched, measured for the
 * bundled embedding model on public photos. Beyond 1,000 enrolled they are extrapolated.
 */

/** Chosen at 1,000 enrolled; below that they stay, since fewer people is no reason to accept weaker matches. */
const BASE_ENROLLED = 1_000;
/** Cosine from which two faces may be one person: a reviewer should look. */
const NEAR_AT_BASE = 0.45;
const NEAR_PER_DECADE = 0.05;
/** Cosine from which two faces count as one person: false match rate 6e-7 to 9e-7 a comparison. */
const SAME_AT_BASE = 0.55;
const SAME_PER_DECADE = 0.065;

export type MatchThresholds = { near: number; same: number };

/** Cosine thresholds for a search among `enrolled` people. */
export function thresholdsFor(enrolled: number): MatchThresholds {
  const decades = Math.log10(Math.max(enrolled, BASE_ENROLLED) / BASE_ENROLLED);
  return {
    near: NEAR_AT_BASE + NEAR_PER_DECADE * decades,
    same: SAME_AT_BASE + SAME_PER_DECADE * decades,
  };
}

/** Component-wise mean, scaled to unit length: how a capture's frames, or a person's templates, become one vector. */
export function normalisedMean(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (!first) throw new RangeError('The mean of no vectors is not defined.');
  const sum = new Float32Array(first.length);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  return toUnitLength(sum);
}

export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Dot product; the cosine where both are of unit length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += (a[i] ?? 0) * (b[i] ?? 0);
  return dot;
}

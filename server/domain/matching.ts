/**
 * When two faces are one person: cosine thresholds that grow with the number of people searched, measured for the
 * bundled embedding model on public photos. Beyond 1,000 enrolled they are extrapolated.
 */

/** Chosen at 1,000 enrolled; below that they stay, since fewer people is no reason to accept weaker matches. */
const BASE_ENROLLED = 1_000;
const NEAR_PER_DECADE = 0.05;
const SAME_PER_DECADE = 0.065;

/**
 * `near`: cosine from which two faces may be one person, so that a reviewer should look. `same`: cosine from which they
 * count as one.
 */
export type MatchThresholds = { near: number; same: number };

/** Cosine thresholds for a search among `enrolled` people, from those of the model at 1,000. */
export function thresholdsFor(enrolled: number, atBase: MatchThresholds): MatchThresholds {
  const decades = Math.log10(Math.max(enrolled, BASE_ENROLLED) / BASE_ENROLLED);
  return { near: atBase.near + NEAR_PER_DECADE * decades, same: atBase.same + SAME_PER_DECADE * decades };
}

/** Component-wise mean, scaled to unit length: how a capture's frames, or a person's templates, become one vector. */
export function normalisedMean(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (!first) throw new RangeError('The mean of no vectors is not defined.');
  const sum = new Float32Array(first.length);
  for (const vector of vectors)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
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

/**
 * When two faces are one person: cosine thresholds that grow with the number of people searched, and a stand-out
 * condition. Measured for the bundled embedding model on public photos; beyond 1,000 enrolled they are
 * extrapolated (`docs/explanation/matching.md`).
 */

/**
 * Chosen at 1,000 enrolled. They do not fall below that, because fewer people is no reason to accept weaker
 * matches.
 */
export const BASE_ENROLLED = 1_000;
const NEAR_PER_DECADE = 0.05;
const SAME_PER_DECADE = 0.065;

/** Minimum stand-out of a match. */
export const STANDOUT = { near: 0.2, same: 0.25 } as const;

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

type Match = 'same' | 'near' | 'other';

/** @param standout null without a cohort to measure it against; a match is then near at most */
export function judgeMatch(similarity: number, standout: number | null, thresholds: MatchThresholds): Match {
  if (similarity < thresholds.near) return 'other';
  if (standout === null) return 'near';
  if (similarity >= thresholds.same && standout >= STANDOUT.same) return 'same';
  return standout >= STANDOUT.near ? 'near' : 'other';
}

/** Component-wise mean, scaled to unit length: how a capture's frames, or a person's templates, become one vector. */
export function normalisedMean(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (!first) throw new RangeError('The mean of no vectors is not defined.');
  const sum = new Float32Array(first.length);
  // Uses indices, because this runs over every template at start-up and iterators take five times as long.
  for (const vector of vectors)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  return toUnitLength(sum);
}

export function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(cosine(vector, vector));
  if (length === 0) return vector;
  const unit = new Float32Array(vector.length);
  for (let i = 0; i < unit.length; i++) unit[i] = (vector[i] ?? 0) / length;
  return unit;
}

/** Dot product; equals the cosine if both are of unit length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += (a[i] ?? 0) * (b[i] ?? 0);
  return dot;
}

// The stand-out condition. Some faces are near many others; a threshold on the cosine alone would confuse them far
// more often than the rest. A match has to exceed what both faces reach with different people. Measured on public
// photos: `docs/explanation/matching.md`.

/** Size of the cohort: enrolled people or, if they are fewer, synthetic vectors that come with the model. */
export const COHORT_SIZE = 500;
/**
 * Nearest cohort members that count. The closest one is left out, because it may be the same person or a
 * relative.
 */
const NEAREST = 10;

/**
 * What a face reaches with different people: the mean of its highest cosines with `cohort`, without the single
 * highest.
 */
export function strangerLevel(face: Float32Array, cohort: readonly Float32Array[]): number {
  const nearest = cohort
    .map((other) => cosine(face, other))
    .sort((a, b) => b - a)
    .slice(1, NEAREST);
  return nearest.reduce((total, value) => total + value, 0) / Math.max(1, nearest.length);
}

/** How far a similarity exceeds what its two faces reach with different people. */
export const standout = (similarity: number, levelOfProbe: number, levelOfTemplate: number): number =>
  similarity - (levelOfProbe + levelOfTemplate) / 2;

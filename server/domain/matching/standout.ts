/**
 * The stand-out condition. Some faces are near many others; a threshold on the cosine alone would confuse them
 * far more often than the rest. A match has to exceed what both faces reach with different people. Measured on
 * public photos: `docs/matching.md`.
 */
import { cosine } from './matching.ts';

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

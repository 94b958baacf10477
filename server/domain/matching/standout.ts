/**
 * The stand-out condition: some faces are near to many others, and a threshold on the cosine alone would take them for
 * each other far more often than the rest. A match has to exceed what both faces reach with strangers.
 * Measured on public photos: `docs/matching.md`.
 */
import { cosine } from './matching.ts';

/** Strangers compared with: enrolled people, and below this number vectors of nobody that come with the model. */
export const COHORT_SIZE = 500;
/** The nearest strangers that count; the very nearest is left out, since it may be the same person or a relative. */
const NEAREST = 10;

/** What a face reaches with strangers: mean of its highest cosines with `cohort`, without the single highest. */
export function strangerLevel(face: Float32Array, cohort: readonly Float32Array[]): number {
  const nearest = cohort
    .map((other) => cosine(face, other))
    .sort((a, b) => b - a)
    .slice(1, NEAREST);
  return nearest.reduce((total, value) => total + value, 0) / Math.max(1, nearest.length);
}

/** How far a similarity exceeds what its two faces reach with strangers. */
export const standout = (similarity: number, levelOfProbe: number, levelOfTemplate: number): number =>
  similarity - (levelOfProbe + levelOfTemplate) / 2;

/**
 * How much each signal of an attack counts, and from which score on a capture is taken for one. Fitted on the training
 * half of the built-in set by `npm run evaluate -- --fit` (logistic regression, no weight below 0); the other half is
 * what `docs/liveness.md` reports. Rendered clips, not a field trial: with clips of one's own, fit and check again.
 */
import type { ChallengeMode } from '../challenge.ts';
import type { AttackSignal } from './signals.ts';

type Scale = {
  /** Value that speaks neither for nor against. */
  middle: number;
  /** Distance from there that counts 1; negative where a lower value speaks for an attack. */
  width: number;
  /** Bounds of what it may count. */
  least: number;
  most: number;
};

export const SCALES: Record<AttackSignal, Scale> = {
  /** The model is sure of itself either way; between its extremes there is little to tell. */
  passive: { middle: 0.65, width: 0.2, least: -2, most: 1.5 },
  /** Heads turned as asked read as 0.2 to 0.45, sheets flat or bent as at most 0.13. */
  relief: { middle: 0.17, width: -0.05, least: -2, most: 2 },
  headlike: { middle: 0.85, width: -0.08, least: -1, most: 2 },
  /** A room behind a head reads as −0.5 and below, a picture moved as a whole as 0 and above. */
  together: { middle: -0.25, width: 0.2, least: -2, most: 2 },
  /** Chance alone makes 12 to 15 dB; a pattern that the eye just sees makes 20. */
  pattern: { middle: 17, width: 2, least: -2, most: 3 },
  /** Rooms are full of straight edges, so this says little. */
  border: { middle: 0.8, width: 0.2, least: -1, most: 1 },
  agreement: { middle: 0.6, width: -0.3, least: -1.3, most: 2 },
};

export const WEIGHTS: Record<AttackSignal, number> = {
  passive: 1,
  relief: 1,
  headlike: 0.5,
  together: 0.5,
  pattern: 1,
  border: 0.3,
  agreement: 0.3,
};

export const BIAS = 0;

/** Score from which a capture counts as an attack. */
export const ATTACK_THRESHOLDS: Record<ChallengeMode, number> = { standard: 0.8, strict: 0.5 };

/** Points (logarithm of odds) from which a signal is named to the reviewer. */
export const SPEAKS_FROM = 0.5;

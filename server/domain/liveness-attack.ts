/**
 * Signs of a picture held before the camera. None is proof: the attack model passes many attacks and fails some
 * genuine faces, so it only counts where something else agrees, or in strict mode. What this cannot see is said in
 * `liveness.ts`.
 */
import type { LivenessStep } from '../contract/flow.ts';
import type { ChallengeMode } from './challenge.ts';
import type { GestureMeasures } from './gestures.ts';
import type { Segments } from './liveness-segments.ts';
import { ATTACK, STEP_MARKS } from './liveness-thresholds.ts';

export type AttackSigns = {
  mode: ChallengeMode;
  genuineScore: number;
  /** Strength of each step. */
  strengths: readonly number[];
};

const isTurn = (step: LivenessStep) => step === 'turn_left' || step === 'turn_right';

export function looksLikeAttack(
  segments: Segments,
  steps: readonly LivenessStep[],
  neutral: GestureMeasures,
  { mode, genuineScore, strengths }: AttackSigns,
): boolean {
  const tilted = steps.some(
    (step, place) =>
      isTurn(step) && (segments.steps[place] ?? []).some(({ measures }) => isTiltedPlane(measures, neutral)),
  );
  if (tilted) return true;
  if (genuineScore >= ATTACK.doubtfulScore) return false;
  const weakTurn = ATTACK.weakTurnRad / STEP_MARKS.turnRad;
  return mode === 'strict' || steps.some((step, place) => isTurn(step) && (strengths[place] ?? 0) < weakTurn);
}

/** A plane that is turned grows narrow without showing its other side. */
function isTiltedPlane(measures: GestureMeasures | null, neutral: GestureMeasures): boolean {
  if (!measures) return false;
  return (
    Math.abs(measures.yawRad - neutral.yawRad) < ATTACK.planeYawRad &&
    Math.abs(measures.pitchRad - neutral.pitchRad) < ATTACK.planePitchRad &&
    Math.abs(measures.mouthGap - neutral.mouthGap) < ATTACK.planeMouthGap &&
    measures.breadth < ATTACK.planeShrink * neutral.breadth
  );
}

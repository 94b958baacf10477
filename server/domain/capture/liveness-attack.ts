/** The plain sign of a photograph that is tilted for a turn. What weighs the others is in `attack/`. */
import type { LivenessStep } from '../../contract/flow.ts';
import type { GestureMeasures } from './gestures.ts';
import type { Segments } from './liveness-segments.ts';
import { ATTACK } from './liveness-thresholds.ts';

const isTurn = (step: LivenessStep) => step === 'turn_left' || step === 'turn_right';

export function wasTilted(
  segments: Segments,
  steps: readonly LivenessStep[],
  neutral: GestureMeasures,
): boolean {
  return steps.some(
    (step, place) =>
      isTurn(step) && (segments.steps[place] ?? []).some(({ measures }) => isTiltedPlane(measures, neutral)),
  );
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

/** The neutral, and each step against it. */
import type { LivenessStep } from '../../contract/flow.ts';
import { neutralOf, stepStrength, type GestureMeasures } from './gestures.ts';
import type { CapturedFrame, Segments } from './liveness-segments.ts';
import { ATTACK, NEUTRAL } from './liveness-thresholds.ts';

const measuresOf = (frames: readonly CapturedFrame[]): GestureMeasures[] =>
  frames.flatMap(({ measures }) => measures ?? []);

/**
 * @returns null if the neutral frames are not at rest: too few faces, turned away, moving, or already doing a
 * step
 */
export function restingFace(segments: Segments, steps: readonly LivenessStep[]): GestureMeasures | null {
  const frames = measuresOf(segments.neutral);
  if (frames.length < NEUTRAL.minFrames) return null;
  const neutral = neutralOf(frames);
  const yaws = frames.map(({ yawRad }) => yawRad);
  if (Math.abs(neutral.yawRad) > NEUTRAL.maxYawRad) return null;
  if (Math.max(...yaws) - Math.min(...yaws) > NEUTRAL.maxYawSpreadRad) return null;
  const doingIt = steps.some((step) => frames.some((frame) => stepStrength(step, frame, neutral) >= 1));
  return doingIt ? null : neutral;
}

/** For each step the strength of its best frame (see `stepStrength`), in the requested order. */
export function stepStrengths(
  segments: Segments,
  steps: readonly LivenessStep[],
  neutral: GestureMeasures,
): number[] {
  return steps.map((step, place) =>
    measuresOf(segments.steps[place] ?? []).reduce(
      (best, frame) => Math.max(best, stepStrength(step, frame, neutral)),
      0,
    ),
  );
}

const isTurn = (step: LivenessStep) => step === 'turn_left' || step === 'turn_right';

/** Whether a photograph was tilted when a turn was requested. */
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

/** A plane that is turned becomes narrower without showing its other side. */
function isTiltedPlane(measures: GestureMeasures | null, neutral: GestureMeasures): boolean {
  if (!measures) return false;
  return (
    Math.abs(measures.yawRad - neutral.yawRad) < ATTACK.planeYawRad &&
    Math.abs(measures.pitchRad - neutral.pitchRad) < ATTACK.planePitchRad &&
    Math.abs(measures.mouthGap - neutral.mouthGap) < ATTACK.planeMouthGap &&
    measures.breadth < ATTACK.planeShrink * neutral.breadth
  );
}

/** The neutral, and each step against it. */
import type { LivenessStep } from '../../contract/flow.ts';
import { neutralOf, stepStrength, type GestureMeasures } from './gestures.ts';
import type { CapturedFrame, Segments } from './liveness-segments.ts';
import { NEUTRAL } from './liveness-thresholds.ts';

const measuresOf = (frames: readonly CapturedFrame[]): GestureMeasures[] =>
  frames.flatMap(({ measures }) => measures ?? []);

/** @returns null when the neutral frames are no rest: too few faces, turned away, moving, or already doing a step */
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

/** For each step its best frame's strength (see `stepStrength`), in the order asked. */
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

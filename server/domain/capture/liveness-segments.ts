/** Sorts a capture's frames into its neutral and its steps. */
import type { FrameEvidence } from './evidence.ts';
import { gesturesOf, type GestureMeasures } from './gestures.ts';
import { MIN_FRAMES_PER_STEP, NEUTRAL } from './liveness-thresholds.ts';

/** When each frame arrived, in order; `step` is null for the resting face. */
export type Timeline = { frames: readonly { step: number | null; at_ms: number }[] };

export type CapturedFrame = {
  /** Position in the capture. */
  index: number;
  atMs: number;
  evidence: FrameEvidence;
  /** Null without a face. */
  measures: GestureMeasures | null;
};

export type Segments = { neutral: CapturedFrame[]; steps: CapturedFrame[][]; all: CapturedFrame[] };

/**
 * @returns null if the capture does not match the challenge: wrong counts, steps out of order, too few frames
 */
export function segmentsOf(
  stepCount: number,
  timeline: Timeline,
  frames: readonly FrameEvidence[],
): Segments | null {
  if (timeline.frames.length !== frames.length) return null;
  const neutral: CapturedFrame[] = [];
  const steps: CapturedFrame[][] = Array.from({ length: stepCount }, () => []);
  const all: CapturedFrame[] = [];
  let latest = -1;
  for (const [index, evidence] of frames.entries()) {
    const entry = timeline.frames[index];
    const place = entry?.step ?? -1;
    const segment = place === -1 ? neutral : steps[place];
    if (!entry || !segment || place < latest) return null;
    latest = place;
    const frame: CapturedFrame = {
      index,
      atMs: entry.at_ms,
      evidence,
      measures: evidence.face && gesturesOf(evidence.face),
    };
    segment.push(frame);
    all.push(frame);
  }
  const enough =
    neutral.length >= NEUTRAL.minFrames && steps.every(({ length }) => length >= MIN_FRAMES_PER_STEP);
  return enough ? { neutral, steps, all } : null;
}

/** When a capture's frames are taken, in ms: what a page writes into its timeline. */
import { CAPTURE_PLAN, type Timeline } from '../../server/contract/flow.ts';
import type { Random } from './capture-random.ts';

export type Pace = {
  /** From the challenge to the first frame. */
  firstFrameMs: number;
  betweenFramesMs: number;
  /** From one step's first frame to the next one's. */
  betweenStepsMs: number;
  /** How much earlier or later a person reacts. */
  reactionMs: number;
  /** How much later a frame comes than it is due. */
  jitterMs: number;
};

/** A person who reads. */
export const CALM: Pace = {
  firstFrameMs: 1400,
  betweenFramesMs: 140,
  betweenStepsMs: 2300,
  reactionMs: 250,
  jitterMs: 40,
};

/** As fast as the server believes, for tests that wait until a capture is over before they send it. */
export const BRISK: Pace = {
  firstFrameMs: 60,
  betweenFramesMs: 25,
  betweenStepsMs: 420,
  reactionMs: 10,
  jitterMs: 8,
};

export function timelineOf(steps: readonly unknown[], pace: Pace, random: Random): Timeline {
  const { firstFrameMs, betweenFramesMs, betweenStepsMs, reactionMs, jitterMs } = pace;
  const at = (sinceMs: number) => Math.round(sinceMs + random.between(0, jitterMs));
  const neutral = Array.from({ length: CAPTURE_PLAN.neutralFrames }, (_, index) => ({
    step: null,
    at_ms: at(firstFrameMs + index * betweenFramesMs),
  }));
  const stepped = steps.flatMap((_, step) => {
    const shownMs = firstFrameMs + (step + 1) * betweenStepsMs + random.between(-reactionMs, reactionMs);
    return Array.from({ length: CAPTURE_PLAN.framesPerStep }, (_entry, index) => ({
      step,
      at_ms: at(shownMs + index * betweenFramesMs),
    }));
  });
  return { frames: [...neutral, ...stepped] };
}

/** A recorded clip as an actor: it answers with the frames that it has, and the server is made to ask for those. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { LiveRequest } from '../../server/contract/capture-live.ts';
import type { Actor, Shown } from './actor.ts';
import type { FoundClip } from './folder.ts';

/** Milliseconds after which a frame comes: within every window. */
const AFTER_MS = 1_500;
const BETWEEN_MS = 100;

export type RecordedActor = Actor & {
  /** Every frame of the clip. */
  everything: Shown[];
};

export async function recordedActor(clip: FoundClip): Promise<RecordedActor> {
  const bytes = await Promise.all(clip.frames.map((path) => readFile(path)));
  const framesOf = (step: number | null) =>
    bytes.filter((_, index) => (clip.stepOfFrame[index] ?? null) === step);
  const resting = framesOf(null);
  let [rested, stepped] = [0, 0];
  const shown = (frames: readonly Buffer[]): Shown[] =>
    frames.map((jpeg, place) => ({
      afterMs: AFTER_MS + place * BETWEEN_MS,
      key: createHash('sha256').update(jpeg).digest('hex'),
      take: async () => jpeg,
    }));
  return {
    isCalm: false,
    labels: clip.labels,
    everything: shown(bytes),
    fits({ ask, tint, step }: LiveRequest) {
      if (ask === 'tint') return clip.tints.length === 0 || clip.tints[rested] === tint;
      return clip.steps[stepped] === step;
    },
    answer({ ask, stills }) {
      if (ask === 'tint') {
        const frame = resting[rested];
        rested += 1;
        return frame ? shown([frame]) : null;
      }
      if (stepped >= clip.steps.length) return null;
      const frames = framesOf(stepped).slice(-stills);
      stepped += 1;
      return shown(frames);
    },
  };
}

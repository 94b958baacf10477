/**
 * From pictures to a verdict: rendered heads of several people, judged with the real models. Needs the model files
 * (`npm run assets`) and Chromium, which finds the landmarks of each person's photo once.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  captureFor,
  replayedReencoded,
  RESTING_STILLS,
  STILLS_OF_STEP,
  type Capture,
} from '../../testing/camera/capture/capture.ts';
import { renderClips, type Clips } from '../../testing/camera/clips.ts';
import { PEOPLE } from '../../testing/camera/people.ts';
import { sized } from '../../testing/tier.ts';
import { DOUBLE_STEP, LIVENESS_STEPS, type LivenessStep } from '../contract/flow.ts';
import type { ChallengeMode } from '../domain/companies/verification-config.ts';
import type { FrameEvidence } from '../domain/capture/evidence.ts';
import { frameSignature, isSameFrame } from '../domain/capture/frame-signature.ts';
import { judgeCapture } from '../domain/capture/liveness.ts';
import { createFaceEngine, type FaceEngine } from './engine.ts';

const root = join(import.meta.dirname, '../..');
const FIRST_RENDER_MS = 240_000;
/** Dozens of pictures go through the real models. */
const JUDGING_MS = 120_000;
/** Rendering a person takes a quarter of a minute. */
const RENDERED = PEOPLE.slice(0, sized(2, PEOPLE.length));
const PHOTOGRAPHED = RENDERED.slice(0, sized(1, 3));
const PAIRS = [
  [0, 1],
  [1, 2],
  [3, 0],
].filter((pair) => pair.every((index) => index < RENDERED.length)) as [number, number][];

let engine: FaceEngine;
let heads: Clips[];
let photographs: Clips[];

beforeAll(async () => {
  engine = await createFaceEngine({
    modelDir: join(root, '.cache/models'),
    manifestDir: join(root, 'assets/models'),
  });
  heads = [];
  photographs = [];
  for (const person of RENDERED) heads.push(await renderClips(person));
  for (const person of PHOTOGRAPHED) photographs.push(await renderClips(person, { flat: true }));
}, FIRST_RENDER_MS);
afterAll(() => engine.close());

type Judging = {
  mode?: ChallengeMode;
  earlier?: FrameEvidence[];
  /** The evidence of the same capture, if it was analysed before. */
  frames?: FrameEvidence[];
};

async function judged(
  capture: Capture,
  steps: readonly LivenessStep[],
  { mode = 'standard', earlier = [], frames: known }: Judging = {},
) {
  const frames = known ?? (await engine.analyse(capture.frames));
  const signatures = earlier.map(frameSignature);
  const seenBefore = frames.map((frame) =>
    signatures.some((other) => isSameFrame(frameSignature(frame), other, frame.width / frame.height)),
  );
  const verdict = judgeCapture({
    steps,
    mode,
    timeline: capture.timeline,
    frames,
    seenBefore,
  });
  return { verdict, frames };
}

/** Whether the frames of the step at `place` pass as those of another. */
function isTakenFor(asked: LivenessStep, frames: readonly FrameEvidence[], place: number): boolean {
  const start = RESTING_STILLS + STILLS_OF_STEP * place;
  const shown = [...frames.slice(0, RESTING_STILLS), ...frames.slice(start, start + STILLS_OF_STEP)];
  const entries = shown.map((_, index) =>
    index < RESTING_STILLS
      ? { step: null, at_ms: 1_000 + 100 * index }
      : { step: 0, at_ms: 3_000 + 100 * index },
  );
  const { missedSteps } = judgeCapture({
    steps: [asked],
    mode: 'standard',
    timeline: { frames: entries },
    frames: shown,
    seenBefore: shown.map(() => false),
  });
  return missedSteps.length === 0;
}

const STEPS: LivenessStep[] = ['turn_left', 'blink', 'smile'];
/** Enough for findings that do not depend on the steps. */
const ONE_STEP: LivenessStep[] = ['turn_left'];
const STEP_SETS: LivenessStep[][] = sized([STEPS], [STEPS, ['open_mouth', 'turn_right', 'look_up']]);

describe.each(RENDERED.slice(0, sized(1, PEOPLE.length)).map(({ name }, index) => ({ name, index })))(
  '$name',
  { timeout: JUDGING_MS },
  ({ index }) => {
    test('passes every step in one capture, and none is taken for another', async () => {
      const capture = await captureFor(heads[index]!, LIVENESS_STEPS, { seed: 21 });
      const { verdict, frames } = await judged(capture, LIVENESS_STEPS);
      expect(verdict).toMatchObject({ findings: [], passed: true });
      expect(verdict.goodFrames.length).toBeGreaterThan(4);
      expect(verdict.quality).toBeGreaterThan(0.4);
      for (const asked of LIVENESS_STEPS) {
        const taken = LIVENESS_STEPS.filter((_step, place) => isTakenFor(asked, frames, place));
        // Two movements at once may count as each of them, and neither counts as both.
        expect(taken.filter((step) => step !== DOUBLE_STEP || asked === DOUBLE_STEP)).toEqual([asked]);
      }
    });
  },
);

/** An ordinary capture, analysed once for the tests that need an earlier one. */
let earlierCapture: ReturnType<typeof captureEarlier> | undefined;
async function captureEarlier() {
  const capture = await captureFor(heads[0]!, STEPS, { seed: 31 });
  return { capture, frames: await engine.analyse(capture.frames) };
}

test(
  'a person passes again the next minute, in front of the same wall',
  { timeout: JUDGING_MS },
  async () => {
    const { frames: earlier } = await (earlierCapture ??= captureEarlier());
    const second = await judged(await captureFor(heads[0]!, STEPS, { seed: 32 }), STEPS, { earlier });
    expect(second.verdict.findings).toEqual([]);
  },
);

describe('attacks', { timeout: JUDGING_MS }, () => {
  test('a photograph on paper, moved and tilted, fails every turn', async () => {
    for (const photograph of photographs) {
      for (const steps of STEP_SETS) {
        const { verdict } = await judged(await captureFor(photograph, steps, { seed: 41 }), steps);
        expect(verdict.missedSteps).toContain(steps.findIndex((step) => step.startsWith('turn_')));
      }
    }
  });

  test('steps other than the requested ones fail', async () => {
    for (const steps of STEP_SETS) {
      const { verdict } = await judged(
        await captureFor(heads.at(-1)!, steps, { attack: 'other_step', seed: 2 }),
        steps,
      );
      expect(verdict.missedSteps).toEqual([0, 1, 2]);
    }
  });

  test('two people in one capture are a self mismatch', async () => {
    for (const [face, helper] of PAIRS) {
      const capture = await captureFor(heads[face]!, STEPS, { stepsBy: heads[helper]!, seed: 4 });
      expect((await judged(capture, STEPS)).verdict.selfMismatch).toBe(true);
    }
  });

  test('duplicate frames fail', async () => {
    const capture = await captureFor(heads[0]!, ONE_STEP, { attack: 'duplicate_frames', seed: 5 });
    const { verdict } = await judged(capture, ONE_STEP);
    expect(verdict.findings).toContain('duplicate_frames');
  });

  test('an earlier capture fails, unchanged and re-encoded', async () => {
    const { capture, frames: earlier } = await (earlierCapture ??= captureEarlier());
    const again = await judged(capture, STEPS, { earlier, frames: earlier });
    expect(again.verdict.findings).toEqual(['replayed_frames']);
    const encoded = await judged(await replayedReencoded(capture), STEPS, { earlier });
    expect(encoded.verdict.findings).toContain('replayed_frames');
  });
});

describe('bad pictures are reported as such, never as spoofing', { timeout: JUDGING_MS }, () => {
  test.each([
    ['dark', 'too_dark'],
    ['glaring', 'too_bright'],
    ['blurred', 'blurred'],
  ] as const)('%s', async (picture, reported) => {
    const capture = await captureFor(heads[0]!, ONE_STEP, { picture, seed: 7 });
    const { verdict } = await judged(capture, ONE_STEP);
    expect(verdict.personFindings).toEqual([reported]);
    expect(verdict.spoofSuspected).toBe(false);
  });
});

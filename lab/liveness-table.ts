/**
 * Prints how strongly each rendered clip does each step (see `stepStrength`: 1 is the mark), for heads and for
 * photographs of the same people, so that thresholds can be chosen and checked. A step's own column must be above 1 for
 * heads; every other figure, and every turn of a photograph, must be below.
 *
 *     npm run assets && node lab/liveness-table.ts
 */
import { join } from 'node:path';
import { captureFor } from '../testing/camera/capture.ts';
import { renderClips, type Clips } from '../testing/camera/clips.ts';
import { PEOPLE } from '../testing/camera/people.ts';
import { LIVENESS_STEPS } from '../server/contract/flow.ts';
import type { FrameEvidence } from '../server/domain/capture/evidence.ts';
import {
  gesturesOf,
  neutralOf,
  stepStrength,
  type GestureMeasures,
} from '../server/domain/capture/gestures.ts';
import { cosine, normalisedMean } from '../server/domain/matching/matching.ts';
import { createFaceEngine } from '../server/face/engine.ts';

const root = join(import.meta.dirname, '..');
const engine = await createFaceEngine({
  modelDir: join(root, '.cache/models'),
  manifestDir: join(root, 'assets/models'),
});

const cell = (value: number, digits = 2) => value.toFixed(digits).padStart(8);
const NEUTRAL_FRAMES = 3;

try {
  for (const person of PEOPLE) {
    await print(await renderClips(person));
    await print(await renderClips(person, { flat: true }));
  }
} finally {
  await engine.close();
}

async function print(clips: Clips): Promise<void> {
  const { frames, timeline } = await captureFor(clips, LIVENESS_STEPS, { seed: 1 });
  const evidence = await engine.analyse(frames);
  const measures = evidence.map(({ face }) => face && gesturesOf(face));
  const seen = (from: readonly (GestureMeasures | null)[]) => from.filter((entry) => entry !== null);
  const neutral = neutralOf(seen(measures.slice(0, NEUTRAL_FRAMES)));
  const reference = normalisedMean(
    evidence.slice(0, NEUTRAL_FRAMES).flatMap(({ embedding }) => embedding ?? []),
  );
  console.log(`\n${clips.person}${clips.flat ? ', as a photograph' : ''}`);
  console.log(
    ''.padEnd(12) +
      [...LIVENESS_STEPS, 'breadth', 'cosine', 'genuine']
        .map((name) => name.slice(0, 8).padStart(9))
        .join(''),
  );
  const row = (name: string, indices: number[]) => {
    const strengths = LIVENESS_STEPS.map((step) =>
      Math.max(
        ...seen(indices.map((index) => measures[index] ?? null)).map((frame) =>
          stepStrength(step, frame, neutral),
        ),
      ),
    );
    const pictured = indices.flatMap((index) => evidence[index] ?? []);
    const mean = (of: (frame: FrameEvidence, index: number) => number) =>
      pictured.reduce((sum, frame, index) => sum + of(frame, index), 0) / pictured.length;
    const breadth = mean((_frame, index) => (measures[indices[index] ?? 0]?.breadth ?? 0) / neutral.breadth);
    const similarity = mean((frame) => (frame.embedding ? cosine(frame.embedding, reference) : 0));
    const genuine = mean((frame) => frame.genuineScore);
    console.log(
      name.padEnd(12) +
        [...strengths, breadth, similarity, genuine].map((value) => ` ${cell(value)}`).join(''),
    );
  };
  const indicesOf = (step: number | null) =>
    timeline.frames.flatMap((frame, index) => (frame.step === step ? [index] : []));
  row('neutral', indicesOf(null));
  LIVENESS_STEPS.forEach((step, place) => row(step, indicesOf(place)));
}

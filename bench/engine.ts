/**
 * The cost of a frame beyond its four models: one frame through detect, landmarks, align, embed and PAD in one thread,
 * compared with the four models alone on the same inputs. Then the processor time of each stage.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { ensureAssets } from '../scripts/assets/ensure.ts';
import { MANIFEST_DIR, modelsDir, testPhotosDir } from '../scripts/assets/paths.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import { genuineScore } from '../server/face/models/attack.ts';
import { measureCues } from '../server/face/evidence/cues.ts';
import { decodeJpeg } from '../server/face/pictures/decode.ts';
import { detectFaces } from '../server/face/models/detector.ts';
import { embedFace } from '../server/face/models/embedder.ts';
import { fingerprint } from '../server/face/evidence/fingerprint.ts';
import { findLandmarks } from '../server/face/models/landmarks.ts';
import { type EngineManifests, readEngineManifests } from '../server/face/models/manifest.ts';
import { openModel } from '../server/face/models/model.ts';
import { openPipeline } from '../server/face/pipeline.ts';
import { measureTones } from '../server/face/evidence/tones.ts';
import { lowerQuartile, type BenchResult } from './support/report.ts';

const ROUNDS = 40;
const WARM_UP_ROUNDS = 5;
const MOST_RATIO = 1.3;

/** The size of a laptop's or phone's camera frame. */
const FRAME_WIDTH_PX = 1280;
const FRAME_HEIGHT_PX = 720;

export async function run(): Promise<BenchResult[]> {
  await ensureAssets('test', progressOn(process.stderr));
  sharp.concurrency(1);
  sharp.cache(false);
  const manifests = readEngineManifests(MANIFEST_DIR);
  const pipeline = await openPipeline(manifests, modelsDir());
  const models = await Promise.all([
    openModel(manifests.detect, modelsDir()),
    openModel(manifests.landmarks, modelsDir()),
    openModel(manifests.embed, modelsDir()),
    openModel(manifests.attack, modelsDir()),
  ]);
  const jpeg = await cameraFrame();

  const modelsMs: number[] = [];
  const pipelineMs: number[] = [];
  const wholeMs: number[] = [];
  // Alternating, so that other load on the machine affects all three equally.
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const alone = await timed(async () => {
      for (const model of models) await model.run();
    });
    const image = await decodeJpeg(jpeg);
    const decoded = await timed(async () => {
      const [main] = await pipeline.detect(image);
      if (main === undefined) throw new Error('no face in the frame');
      await pipeline.measure(image, main);
    });
    const whole = await timed(() => pipeline.analyse(jpeg));
    if (round < WARM_UP_ROUNDS) continue;
    modelsMs.push(alone);
    pipelineMs.push(decoded);
    wholeMs.push(whole);
  }
  await Promise.all([pipeline, ...models].map((opened) => opened.close()));

  const baseline = lowerQuartile(modelsMs);
  const frame = lowerQuartile(pipelineMs) / baseline;
  const whole = lowerQuartile(wholeMs) / baseline;
  return [
    {
      name: 'one frame through detect, landmarks, align, embed, PAD',
      value: lowerQuartile(pipelineMs),
      baseline,
      ratio: frame,
      unit: 'ms',
      hold: `≤ ${MOST_RATIO} × the four models alone`,
      ok: frame <= MOST_RATIO,
    },
    {
      name: 'one frame from JPEG bytes to evidence (1280 × 720)',
      value: lowerQuartile(wholeMs),
      baseline,
      ratio: whole,
      unit: 'ms',
      ok: true,
    },
    ...(await stages(manifests, jpeg)),
  ];
}

/** Processor time of each stage of one frame, compared with the total. */
async function stages(manifests: EngineManifests, jpeg: Buffer): Promise<BenchResult[]> {
  const [detector, landmarker, embedder, attack] = await Promise.all([
    openModel(manifests.detect, modelsDir()),
    openModel(manifests.landmarks, modelsDir()),
    openModel(manifests.embed, modelsDir()),
    openModel(manifests.attack, modelsDir()),
  ]);
  const timesMs = new Map<string, number[]>();
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const stage = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
      const results: T[] = [];
      const tookMs = await timed(async () => results.push(await work()));
      if (round >= WARM_UP_ROUNDS) timesMs.set(name, [...(timesMs.get(name) ?? []), tookMs]);
      return results[0] as T;
    };
    const image = await stage('decode', () => decodeJpeg(jpeg));
    await stage('fingerprint', () => fingerprint(image));
    const [main] = await stage('detect', () => detectFaces(detector, image));
    if (main === undefined) throw new Error('no face in the frame');
    const points = await stage('landmarks', () => findLandmarks(landmarker, image, main));
    await stage('align and embed', () => embedFace(embedder, image, points));
    await stage('attack model', () => genuineScore(attack, image, main));
    await stage('pattern, borders, layout', () => measureCues(image, main));
    await stage('colours', () => measureTones(image, points));
  }
  await Promise.all([detector, landmarker, embedder, attack].map((model) => model.close()));
  const figures = [...timesMs].map(([name, times]) => ({ name, value: lowerQuartile(times) }));
  const baseline = figures.reduce((sum, { value }) => sum + value, 0);
  return figures.map(({ name, value }) => ({
    name: `${name}, processor time of the whole frame's`,
    value,
    baseline,
    ratio: value / baseline,
    unit: 'ms',
    ok: true,
  }));
}

/** Processor time of all threads, in milliseconds, which excludes other work on the machine. */
async function timed(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** One person in a large part of the frame: a photo cropped around its central face. */
async function cameraFrame(): Promise<Buffer> {
  const photo = await readFile(join(testPhotosDir(), 'sample6.jpg'));
  return sharp(photo)
    .extract({ left: 100, top: 280, width: 800, height: 450 })
    .resize(FRAME_WIDTH_PX, FRAME_HEIGHT_PX)
    .jpeg({ quality: 90 })
    .toBuffer();
}

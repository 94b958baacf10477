/** A thread that renders, measures and plays clips, one at a time. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { openPipeline } from '../../server/face/pipeline.ts';
import { loadManifests } from '../../server/face/models/model-files.ts';
import { createActor } from './scene/actor.ts';
import { evidenceCache, keptIn } from './evidence.ts';
import { judgePlayed, type Judged } from './judge.ts';
import type { Sitter } from './scene/people.ts';
import { play } from './play.ts';
import { isDemo, type PlannedClip } from './plan.ts';

export type PlayWorkerData = {
  sitters: Sitter[];
  cache: string;
  /** Of the sources that render, and of those that analyse (`evidence.ts`). */
  versions: { rendering: string; analysis: string };
  /** As of a phone. */
  isHandheld: boolean;
  modelDir: string;
  manifestDir: string;
};

sharp.concurrency(1);
const { sitters, cache, versions, isHandheld, modelDir, manifestDir } = workerData as PlayWorkerData;
const pipeline = await openPipeline(await loadManifests(manifestDir, modelDir), modelDir);
const keptStill = keptIn(join(cache, 'stills'));
const keptEvidence = evidenceCache(cache, versions.analysis);

parentPort?.on('message', (plans: PlannedClip[]) => {
  void playAll(plans).then((judged) => parentPort?.postMessage(judged));
});
parentPort?.postMessage(null);

/** In sequence, because the conditions of a clip share stills. */
async function playAll(plans: readonly PlannedClip[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const plan of plans) judged.push(await playClip(plan));
  return judged;
}

async function playClip(plan: PlannedClip): Promise<Judged> {
  const sitter = sitters.find(({ name }) => name === plan.person);
  if (!sitter) throw new Error(`nobody is called ${plan.person}`);
  const { kind, person, number, seed, condition } = plan;
  const actor = createActor(sitter, plan);
  const played = await play({
    actor,
    condition,
    seed,
    isHandheld,
    async measure({ key, take }, purpose) {
      const jpeg = await keptStill(`${versions.rendering} ${kind} ${person} ${seed} ${key}`, take);
      return keptEvidence(jpeg, purpose, (...frame) => pipeline.analyse(...frame));
    },
  });
  const about = {
    name: `${kind}/${person}/${number}`,
    kind,
    identity: person,
    labels: { ...actor.labels, picture: isDemo(person) ? 'photo' : 'portrait' },
  };
  return judgePlayed({ ...about, hasTints: true }, condition, played);
}

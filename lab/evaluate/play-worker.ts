/** A thread that renders, measures and plays clips, one at a time. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { openPipeline } from '../../server/face/pipeline.ts';
import { loadManifests } from '../../server/face/models/model-files.ts';
import { createActor } from './scene/actor.ts';
import { evidenceCache, keptIn } from './evidence.ts';
import { judgePlayed, templateOfPlayed, type Judged } from './judge.ts';
import type { Sitter } from './scene/people.ts';
import { play, type Playing } from './play.ts';
import { boundBy, isDemo, type PlannedClip } from './plan.ts';

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
const manifests = await loadManifests(manifestDir, modelDir);
const pipeline = await openPipeline(manifests, modelDir);
const { samePerson, oneToOne = samePerson } = manifests.embed.thresholds;
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
  const { kind, person, number, condition } = plan;
  const { actor, played } = await playPlan(plan, condition === 'claim' ? await claimOf(plan) : undefined);
  const about = {
    name: `${kind}/${person}/${number}`,
    kind,
    identity: person,
    labels: { ...actor.labels, picture: isDemo(person) ? 'photo' : 'portrait' },
  };
  return judgePlayed({ ...about, hasTints: true }, condition, played);
}

async function playPlan(plan: PlannedClip, claim?: Playing['claim']) {
  const sitter = sitters.find(({ name }) => name === plan.person);
  if (!sitter) throw new Error(`nobody is called ${plan.person}`);
  const { kind, person, seed, condition } = plan;
  const actor = createActor(sitter, plan);
  const played = await play({
    ...{ actor, condition, seed, isHandheld, claim },
    async measure({ key, take }, purpose) {
      const jpeg = await keptStill(`${versions.rendering} ${kind} ${person} ${seed} ${key}`, take);
      return keptEvidence(jpeg, purpose, (...frame) => pipeline.analyse(...frame));
    },
  });
  return { actor, played };
}

const bound = new Map<string, Promise<Float32Array | null>>();

/** The face with which the person's ticket was bound, at another visit. Attacks imitate the ticket's guest. */
async function claimOf(plan: PlannedClip): Promise<Playing['claim']> {
  const visit = boundBy(plan);
  const key = `${visit.person} ${visit.number}`;
  const known = bound.get(key) ?? playPlan(visit).then(({ played }) => templateOfPlayed(played));
  bound.set(key, known);
  const vector = await known;
  return vector === null ? undefined : { personId: plan.person, vector, least: oneToOne };
}

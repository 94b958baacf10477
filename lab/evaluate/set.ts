/** Plays the built-in set, distributed over threads. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { MANIFEST_DIR, modelsDir } from '../../scripts/assets/paths.ts';
import { analysisVersion, renderingVersion } from './evidence.ts';
import type { Judged } from './judge.ts';
import { sitters } from './scene/people.ts';
import { CLAIM_CONDITIONS, CONDITIONS, isTraining, planClips, type ClipKind, type Half } from './plan.ts';
import type { PlayWorkerData } from './play-worker.ts';

type SetOptions = {
  cache: string;
  /** Maximum of clips for each kind and person. */
  sample: number | undefined;
  /** Defaults to all. */
  kinds: readonly ClipKind[] | undefined;
  /** Defaults to both. */
  half: Half | undefined;
  /** Folder of pictures, each of which is played as a further person. */
  portraits: string | undefined;
  /** As of phones. */
  isHandheld: boolean;
  /** By the fast lane, beside the full check. */
  withClaim: boolean;
  onProgress: (done: number, of: number) => void;
};

/** @returns every judged clip, in the order of the plan */
export async function playSet({
  cache,
  sample,
  kinds,
  half,
  portraits,
  isHandheld,
  withClaim,
  onProgress,
}: SetOptions): Promise<Judged[]> {
  const rendering = await renderingVersion();
  const people = await sitters(cache, rendering, portraits);
  const plans = planClips(
    people.map(({ name }) => name),
    sample,
    kinds,
    withClaim ? CLAIM_CONDITIONS : CONDITIONS,
  ).filter(({ person }) => half === undefined || isTraining(person) === (half === 'training'));
  const clips = [...Map.groupBy(plans, ({ kind, seed }) => `${kind} ${seed}`).values()];
  const judged: Judged[][] = [];
  const setup: PlayWorkerData = {
    sitters: people,
    cache,
    versions: { rendering, analysis: await analysisVersion(MANIFEST_DIR) },
    isHandheld,
    modelDir: modelsDir(),
    manifestDir: MANIFEST_DIR,
  };
  const next = clips.entries();
  let done = 0;
  const drain = (worker: Worker) =>
    new Promise<void>((resolve, reject) => {
      let place: number | null = null;
      worker.on('message', (answer: Judged[] | null) => {
        if (answer && place !== null) {
          judged[place] = answer;
          done += 1;
          onProgress(done, clips.length);
        }
        const entry = next.next();
        if (entry.done === true) {
          resolve();
          return;
        }
        place = entry.value[0];
        worker.postMessage(entry.value[1]);
      });
      worker.on('error', reject);
    });
  const threads = Array.from(
    { length: Math.min(clips.length, availableParallelism()) },
    () => new Worker(new URL('./play-worker.ts', import.meta.url), { workerData: setup }),
  );
  try {
    await Promise.all(threads.map(drain));
  } finally {
    await Promise.all(threads.map((worker) => worker.terminate()));
  }
  return judged.flat();
}

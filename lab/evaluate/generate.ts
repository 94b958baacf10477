/** Makes the built-in set as a folder of the documented layout, unless it is there already. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { availableParallelism } from 'node:os';
import { TINT_LIGHT } from '../../server/domain/capture/attack/tints.ts';
import { sitters } from './people.ts';
import { planClips } from './plan.ts';
import type { RenderJob } from './render-worker.ts';

export type Generation = { cache: string; share: number; onProgress: (done: number, of: number) => void };

/** What shapes the pictures: another generator makes another set. */
const RENDERING = /^(camera|clip|light|materials|people|performance|plan|render-worker|room|surface)\.ts$/;

/** @returns the set's folder */
export async function generatedSet({ cache, share, onProgress }: Generation): Promise<string> {
  const folder = join(cache, `set-${await generatorKey()}${share < 1 ? `-${share}` : ''}`);
  const people = await sitters(cache);
  const jobs = planClips(
    people.map(({ name }) => name),
    share,
  )
    .map((plan): RenderJob => {
      const branch = plan.kind === 'genuine' ? 'genuine' : join('attacks', plan.kind);
      return { plan, folder: join(folder, branch, plan.person, String(plan.number).padStart(2, '0')) };
    })
    .filter((job) => !existsSync(join(job.folder, 'clip.json')));
  const total = jobs.length;
  const drain = (worker: Worker) =>
    new Promise<void>((resolve, reject) => {
      const next = () => {
        const job = jobs.shift();
        if (job) worker.postMessage(job);
        else resolve();
      };
      worker.on('message', () => {
        onProgress(total - jobs.length, total);
        next();
      });
      worker.on('error', reject);
      next();
    });
  const threads = Array.from(
    { length: Math.min(total, availableParallelism()) },
    () => new Worker(new URL('./render-worker.ts', import.meta.url), { workerData: people }),
  );
  try {
    await Promise.all(threads.map(drain));
  } finally {
    await Promise.all(threads.map((worker) => worker.terminate()));
  }
  return folder;
}

async function generatorKey(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(TINT_LIGHT));
  for (const name of (await readdir(import.meta.dirname)).filter((file) => RENDERING.test(file)).sort()) {
    hash.update(await readFile(join(import.meta.dirname, name)));
  }
  return hash.digest('hex').slice(0, 12);
}

/** A thread that renders clips into folders, one after the other. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { renderClip } from './clip.ts';
import type { Sitter } from './people.ts';
import type { PlannedClip } from './plan.ts';

export type RenderJob = { plan: PlannedClip; folder: string };

sharp.concurrency(1);
const sittersOfAll = workerData as Sitter[];

parentPort?.on('message', (job: RenderJob) => {
  void render(job).then(() => parentPort?.postMessage(job.folder));
});

async function render({ plan, folder }: RenderJob): Promise<void> {
  const sitter = sittersOfAll.find(({ name }) => name === plan.person);
  if (!sitter) throw new Error(`nobody is called ${plan.person}`);
  const { frames, timeline, tints, labels } = await renderClip(sitter, plan);
  await mkdir(folder, { recursive: true });
  for (const [index, frame] of frames.entries()) {
    await writeFile(join(folder, `frame-${String(index).padStart(2, '0')}.jpg`), frame);
  }
  const { asked, seed, person } = plan;
  // Written last: a folder without it is begun anew.
  await writeFile(
    join(folder, 'clip.json'),
    `${JSON.stringify({ identity: person, steps: asked, tints, timeline, labels, seed })}\n`,
  );
}

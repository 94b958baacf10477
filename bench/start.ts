/** From the start of the process until it is ready, with 100,000 people enrolled: `--people=100000`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ensureAssets } from '../scripts/assets/ensure.ts';
import { compiledDir, MANIFEST_DIR, modelsDir } from '../scripts/assets/paths.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import { readEngineManifests } from '../server/face/models/manifest.ts';
import { SERVER_MEMORY_ENV, SERVER_NODE_ARGS } from '../electron/service/runtime.ts';
import { enrolMany } from './support/enrolled.ts';
import { numberOption } from '../testing/figures.ts';
import { lowerQuartile, type BenchResult } from './support/report.ts';
import { SERVER } from '../scripts/run/built.ts';

const DEFAULT_PEOPLE = 100_000;
const STARTS = 5;
const MOST_MS = 2_000;

export async function run(): Promise<BenchResult[]> {
  await ensureAssets('product', progressOn(process.stderr));
  const people = numberOption('people', DEFAULT_PEOPLE);
  const { embed } = readEngineManifests(MANIFEST_DIR);
  const model = { model: embed.version, length: embed.embeddingLength };
  const full = await enrolMany(people, model);
  const empty = await enrolMany(0, model);
  const fullMs: number[] = [];
  const emptyMs: number[] = [];
  try {
    for (let n = 0; n < STARTS; n++) {
      emptyMs.push(await startMs(empty.dataDir));
      fullMs.push(await startMs(full.dataDir));
    }
  } finally {
    full.remove();
    empty.remove();
  }
  const value = lowerQuartile(fullMs);
  const baseline = lowerQuartile(emptyMs);
  return [
    {
      name: `start to ready with ${people} enrolled, against nobody enrolled`,
      value,
      baseline,
      ratio: value / baseline,
      unit: 'ms',
      hold: `≤ ${MOST_MS} ms`,
      ok: value <= MOST_MS,
    },
  ];
}

export async function startMs(dataDir: string): Promise<number> {
  const startedMs = performance.now();
  const server = spawn(
    process.execPath,
    [...SERVER_NODE_ARGS, SERVER, 'serve', '--data-dir', dataDir, '--port', '0', '--console-port', '0'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      // As started by `npm start`.
      env: {
        ...process.env,
        GATEHOUSE_MODEL_DIR: modelsDir(),
        GATEHOUSE_LOG_LEVEL: 'error',
        NODE_COMPILE_CACHE: compiledDir(),
        ...SERVER_MEMORY_ENV,
      },
    },
  );
  const ended = once(server, 'exit');
  const firstLine = once(createInterface({ input: server.stdout }), 'line');
  const [line] = (await Promise.race([
    firstLine,
    ended.then(() => Promise.reject(new Error('The server ended before it was ready.'))),
  ])) as [string];
  const { base_url: baseUrl } = JSON.parse(line) as { base_url: string };
  const response = await fetch(`${baseUrl}/readyz`);
  const readyMs = performance.now() - startedMs;
  server.kill('SIGTERM');
  await ended;
  if (!response.ok) throw new Error(`The server is not ready: ${response.status}`);
  return readyMs;
}

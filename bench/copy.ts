/** Moving an installation to PostgreSQL: what a row costs and how much memory it takes, for many people against half. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ensureServer, SERVER } from '../scripts/run/built.ts';
import { createTestDatabase, findPostgres, startPostgres, TEST_KEY } from '../testing/postgres/server.ts';
import { enrolMany } from './support/enrolled.ts';
import { numberOption } from '../testing/figures.ts';
import { peakBytes, processorMs, processTree } from './support/process-memory.ts';
import type { BenchResult } from './support/report.ts';

/** Of ArcFace, whose templates are most of the data. */
const TEMPLATE = { model: 'bench', length: 512 };
const LOOK_MS = 50;
const MEBIBYTE = 2 ** 20;

type Move = { people: number; rows: number; seconds: number; processorMs: number; mebibytes: number };

export async function run(): Promise<BenchResult[]> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed (apt-get install postgresql).');
  await ensureServer(console.error);
  const people = numberOption('people', 100_000);
  const { folder, stop } = await startPostgres(bin);
  try {
    // Node keeps more memory the longer it runs, up to a bound: a tenth would end long before that.
    const few = await move(folder, 'few', Math.ceil(people / 2));
    const many = await move(folder, 'many', people);
    for (const { people: copied, rows, seconds, processorMs: spent } of [few, many])
      console.error(
        `${copied} people, ${rows} rows: ${seconds.toFixed(1)} s, ${Math.round(spent / 1_000)} s of processor time`,
      );
    const name = `data copy of ${people} people to PostgreSQL, against half`;
    return [
      atMost(
        1.3,
        `${name}: processor time of a row`,
        'ms',
        many.processorMs / many.rows,
        few.processorMs / few.rows,
      ),
      atMost(1.2, `${name}: memory`, 'MiB', many.mebibytes, few.mebibytes),
    ];
  } finally {
    await stop();
  }
}

function atMost(most: number, name: string, unit: string, value: number, baseline: number): BenchResult {
  const ratio = value / baseline;
  return { name, unit, value, baseline, ratio, hold: `≤ ${most}`, ok: ratio <= most };
}

/** Runs the command as an operator does. */
async function move(folder: string, database: string, people: number): Promise<Move> {
  const url = await createTestDatabase(folder, database);
  const { dataDir, remove } = await enrolMany(people, TEMPLATE);
  try {
    const keys = path.join(dataDir, 'column.keys');
    writeFileSync(keys, TEST_KEY, { mode: 0o600 });
    const child = spawn(
      process.execPath,
      [SERVER, 'data', 'copy', '--to', url, '--data-dir', dataDir, '--json'],
      {
        env: { ...process.env, GATEHOUSE_DATABASE_KEY_FILE: keys },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    // Of the command and of PostgreSQL.
    const spentMs = () => processorMs(processTree(process.pid).filter((pid) => pid !== process.pid));
    const before = spentMs();
    let mebibytes = 0;
    let spent = 0;
    const looking = setInterval(() => {
      mebibytes = Math.max(mebibytes, peakBytes(child.pid ?? 0) / MEBIBYTE);
      spent = Math.max(spent, spentMs() - before);
    }, LOOK_MS);
    const startMs = performance.now();
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const seconds = (performance.now() - startMs) / 1_000;
    clearInterval(looking);
    if (child.exitCode !== 0) throw new Error(`data copy ended with ${child.exitCode}.`);
    return { people, seconds, mebibytes, processorMs: spent, ...(JSON.parse(output) as { rows: number }) };
  } finally {
    remove();
  }
}

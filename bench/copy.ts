/** Moving an installation to PostgreSQL: time, rows a second and memory, for many people against a tenth of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestDatabase, findPostgres, startPostgres, TEST_KEY } from '../testing/postgres/server.ts';
import { enrolMany } from './enrolled.ts';
import { numberOption } from './options.ts';
import type { BenchResult } from './result.ts';

const CLI = path.resolve(import.meta.dirname, '../server/cli.ts');
/** Of ArcFace, whose templates are most of the data. */
const TEMPLATE = { model: 'bench', length: 512 };
const LOOK_MS = 50;
const MEBIBYTE_KIB = 1_024;

type Move = { people: number; rows: number; seconds: number; mebibytes: number };

export async function run(): Promise<BenchResult[]> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed (apt-get install postgresql).');
  const people = numberOption('people', 100_000);
  const { folder, stop } = await startPostgres(bin);
  try {
    const few = await move(folder, 'few', Math.ceil(people / 10));
    const many = await move(folder, 'many', people);
    console.error(`${many.people} people, ${many.rows} rows: ${many.seconds.toFixed(1)} s`);
    const name = `data copy of ${people} people to PostgreSQL, against a tenth`;
    const speed = (of: Move) => of.rows / of.seconds;
    return [
      result(`${name}: speed`, 'rows/s', { value: speed(many), baseline: speed(few), hold: '≥ 0.7' }),
      result(`${name}: memory`, 'MiB', { value: many.mebibytes, baseline: few.mebibytes, hold: '≤ 1.3' }),
    ];
  } finally {
    await stop();
  }
}

function result(
  name: string,
  unit: string,
  { value, baseline, hold }: { value: number; baseline: number; hold: '≥ 0.7' | '≤ 1.3' },
): BenchResult {
  const ratio = value / baseline;
  return { name, unit, value, baseline, ratio, hold, ok: hold === '≥ 0.7' ? ratio >= 0.7 : ratio <= 1.3 };
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
      [CLI, 'data', 'copy', '--to', url, '--data-dir', dataDir, '--json'],
      {
        env: { ...process.env, GATEHOUSE_DATABASE_KEY_FILE: keys },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let mebibytes = 0;
    const looking = setInterval(() => {
      mebibytes = Math.max(mebibytes, peakMebibytes(child.pid ?? 0));
    }, LOOK_MS);
    const startMs = performance.now();
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const seconds = (performance.now() - startMs) / 1_000;
    clearInterval(looking);
    if (child.exitCode !== 0) throw new Error(`data copy ended with ${child.exitCode}.`);
    return { people, seconds, mebibytes, ...(JSON.parse(output) as { rows: number }) };
  } finally {
    remove();
  }
}

/** The most that a process has had in memory; 0 once it has ended. Linux only. */
function peakMebibytes(pid: number): number {
  try {
    const [, kibibytes = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / MEBIBYTE_KIB;
  } catch {
    return 0;
  }
}

/** SQLite reads a damaged log up to the damage and says nothing. */
import {
  copyFileSync,
  existsSync,
  openSync,
  closeSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onSqlite, storePaths, tempDir } from '../../../../testing/store/temp-store.ts';
import type { Database } from '../port.ts';
import type { DamagedLog } from './durable-mark.ts';
import { markPath } from './durable-mark.ts';
import { openSqlite } from './driver.ts';

const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4_096;
/** Longer than the mark lags. */
const MARKED_MS = 400;

const save = (db: Database, name: string) =>
  db.write('INSERT INTO settings (name, value) VALUES (?, ?)', name, 'x'.repeat(5_000));
const count = async (db: Database) =>
  (await db.one<{ n: number }>("SELECT COUNT(*) AS n FROM settings WHERE name LIKE 'row %'"))?.n;

/** The files of a database whose process died after twenty commits, as a kill leaves them. */
async function killed({ marked = true } = {}) {
  const paths = storePaths(tempDir());
  const db = await openSqlite(paths);
  onTestFinished(() => db.close());
  for (let row = 0; row < 20; row += 1) await save(db, `row ${row}`);
  if (marked) await sleep(MARKED_MS);
  const left = storePaths(tempDir());
  for (const suffix of ['', '-wal', '-mark'])
    if (existsSync(paths.path + suffix)) copyFileSync(paths.path + suffix, left.path + suffix);
  copyFileSync(paths.keyPath, left.keyPath);
  return left;
}

async function reopen(paths: { path: string; keyPath: string }) {
  const told: DamagedLog[] = [];
  const db = await openSqlite({ ...paths, onDamagedLog: (damage) => told.push(damage) });
  onTestFinished(() => db.close());
  return { db, told };
}

function flip(file: string, at: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(64, 0xa5), 0, 64, at);
  closeSync(handle);
}

describe.runIf(onSqlite)('the log of a killed process', () => {
  it('intact: everything is there, and nothing is said', async () => {
    const { db, told } = await reopen(await killed());
    expect(await count(db)).toBe(20);
    expect(told).toEqual([]);
  });

  it('damaged in the middle: what is missing is said, with the time of the last durable commit', async () => {
    const paths = await killed();
    const log = `${paths.path}-wal`;
    const frames = Math.floor((statSync(log).size - HEADER_BYTES) / FRAME_BYTES);
    flip(log, HEADER_BYTES + Math.floor(frames / 2) * FRAME_BYTES + 200);
    const { db, told } = await reopen(paths);
    expect(await count(db)).toBeLessThan(20);
    expect(told).toHaveLength(1);
    expect(told[0]!.found).toBeLessThan(told[0]!.frames);
    expect(Date.now() - told[0]!.durableAt).toBeLessThan(60_000);
  });

  it.each([
    ['a damaged header', (log: string) => flip(log, 0)],
    ['cut off', (log: string) => truncateSync(log, HEADER_BYTES + 3 * FRAME_BYTES)],
    ['empty', (log: string) => truncateSync(log, 0)],
    ['deleted', (log: string) => rmSync(log)],
  ])('%s: it is said', async (_, damage) => {
    const paths = await killed();
    damage(`${paths.path}-wal`);
    const { told } = await reopen(paths);
    expect(told).toHaveLength(1);
    // Once: the log begins again.
    expect((await reopen(paths)).told).toEqual([]);
  });

  it('a torn tail that nobody was told about is no damage', async () => {
    const paths = await killed();
    const log = `${paths.path}-wal`;
    const handle = openSync(log, 'r+');
    writeSync(handle, Buffer.alloc(FRAME_BYTES, 7), 0, FRAME_BYTES, statSync(log).size);
    closeSync(handle);
    const { db, told } = await reopen(paths);
    expect(await count(db)).toBe(20);
    expect(told).toEqual([]);
  });

  it('without a mark, or with a damaged one, nothing is claimed', async () => {
    const paths = await killed();
    flip(markPath(paths.path), 3);
    flip(`${paths.path}-wal`, HEADER_BYTES + 200);
    expect((await reopen(paths)).told).toEqual([]);
  });
});

it.runIf(onSqlite)(
  'shortening, closing and another process leave no mark behind that would be false',
  async () => {
    const dir = tempDir();
    const paths = storePaths(dir);
    const first = await openSqlite(paths);
    for (let row = 0; row < 5; row += 1) await save(first, `row ${row}`);
    await sleep(MARKED_MS);
    const second = await reopen(paths);
    expect(second.told).toEqual([]);
    await save(second.db, 'row 5');
    await first.truncateLog();
    await save(first, 'row 6');
    await sleep(MARKED_MS);
    await second.db.close();
    await first.close();
    expect(existsSync(`${paths.path}-wal`)).toBe(false);
    const third = await reopen(paths);
    expect(third.told).toEqual([]);
    expect(await count(third.db)).toBe(7);
    expect(path.dirname(markPath(paths.path))).toBe(dir);
  },
);

/**
 * Puts a restored database in place. The mark is written after the restored file has been verified. From then on, the
 * next process that opens the folder finishes the change, so that a crash leaves either the old data or the new,
 * complete.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ownDataDir } from './lock.ts';
import { databaseFiles, dataPaths } from './location.ts';
import { removeEach } from './remove-each.ts';
import type { DeletionTime } from '../domain/clock.ts';
import { writeDurably } from '../store/sql/durable-file.ts';

/** Contents of `restored.json`; `aside` names the folder, inside the data folder, for the previous database. */
type RestoreMark = { aside: string };

const PREVIOUS_PREFIX = 'before-restore-';
const PREVIOUS_NAME = /^before-restore-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})/;
/**
 * Long enough to notice that the wrong backup was restored. The old database contains people who may ask to be erased.
 */
const PREVIOUS_KEPT_MS = 7 * 86_400_000;

/** Name of the folder for the database that a restore replaces. */
export const previousDatabaseName = (nowMs: number): string =>
  PREVIOUS_PREFIX + new Date(nowMs).toISOString().replaceAll(':', '');

/** Removes databases that a restore replaced more than a week ago. @throws if one remains, after it has tried all */
export async function removePreviousDatabases(dataDir: string, time: DeletionTime): Promise<void> {
  const due = (await readdir(dataDir)).filter((name) => {
    const [, day, hour, minute] = PREVIOUS_NAME.exec(name) ?? [];
    if (day === undefined) return false;
    return time - Date.parse(`${day}T${hour ?? '00'}:${minute ?? '00'}:00Z`) > PREVIOUS_KEPT_MS;
  });
  await removeEach(due.map((name) => path.join(dataDir, name)));
}

/** Databases that restores replaced: the folder, when, and its size in bytes. Newest first. */
export async function listPreviousDatabases(
  dataDir: string,
): Promise<{ folder: string; replacedAt: number; bytes: number }[]> {
  const names = (await readdir(dataDir)).filter((name) => PREVIOUS_NAME.test(name)).sort();
  const found = names.toReversed().map(async (name) => {
    const [, day, hour, minute] = PREVIOUS_NAME.exec(name) ?? [];
    const folder = path.join(dataDir, name);
    const sizes = await Promise.all(
      (await readdir(folder)).map(async (file) => (await stat(path.join(folder, file))).size),
    );
    return {
      folder,
      replacedAt: Date.parse(`${day}T${hour}:${minute}:00Z`),
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    };
  });
  return Promise.all(found);
}

/**
 * Atomic and durable: from here on the restore is decided. A failure decides nothing and removes the restored database.
 * @returns the name of the previous database’s folder
 */
export async function markRestored(dataDir: string, nowMs: number): Promise<string> {
  const { restored, restoreMark } = dataPaths(dataDir);
  const mark: RestoreMark = { aside: freeName(dataDir, nowMs) };
  const aside = path.join(dataDir, mark.aside);
  try {
    // Made now, so that nothing after the decision needs room on the disk.
    mkdirSync(aside, { mode: 0o700 });
    await writeDurably(restoreMark, JSON.stringify(mark));
  } catch (error) {
    await removeEach([restoreMark, `${restoreMark}.draft`, aside, ...databaseFiles(restored)]);
    throw error;
  }
  return mark.aside;
}

/** One that an earlier restore has used keeps what is in it. */
function freeName(dataDir: string, nowMs: number): string {
  const name = previousDatabaseName(nowMs);
  return existsSync(path.join(dataDir, name)) ? freeName(dataDir, nowMs + 1) : name;
}

/**
 * Deletes the files of a restore that was never decided. Call it while the folder is shared, when nobody is restoring.
 */
export async function removeUndecided(dataDir: string): Promise<void> {
  const { restored, restoreMark } = dataPaths(dataDir);
  if (existsSync(restoreMark)) return;
  for (const file of databaseFiles(restored)) await rm(file, { force: true });
}

/** Finishes a decided restore; does nothing if there is none. @throws ConfigError */
export function finishRestore(dataDir: string): void {
  if (!existsSync(dataPaths(dataDir).restoreMark)) return;
  const lock = ownDataDir(dataDir);
  try {
    switchDatabase(dataDir);
  } finally {
    lock.release();
  }
}

/** Each step can be interrupted and repeated. Needs exclusive use of the folder. */
export function switchDatabase(dataDir: string): void {
  const { database, restored, restoreMark } = dataPaths(dataDir);
  // Another process may have finished it while this one waited for the lock.
  if (!existsSync(restoreMark)) return;
  if (existsSync(restored)) {
    const { aside: previous } = JSON.parse(readFileSync(restoreMark, 'utf8')) as RestoreMark;
    const folder = path.join(dataDir, previous);
    // SQLite would apply an old log to the new database.
    for (const file of databaseFiles(database).filter((name) => existsSync(name))) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      renameSync(file, path.join(folder, path.basename(file)));
    }
    renameSync(restored, database);
    removeIfEmpty(folder);
  }
  rmSync(restoreMark);
}

/** Of a restore into a folder without data. */
function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Moves a data folder: copies and verifies it, writes the new path into the old folder, then deletes the old files. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ConfigError } from './errors.ts';
import { prepareDataDir, refuseWithoutData } from './folder.ts';
import { LOCK_FILES, ownDataDir } from './lock.ts';
import { dataPaths } from './location.ts';
import { finishRestore } from './finish-restore.ts';
import { injectedKey } from './injected-key.ts';
import { readOrCreateKeyFile } from '../store/sql/key-file.ts';
import { inspectSnapshot, readWithin } from '../store/backup/snapshot.ts';

type Moved = { from: string; to: string; files: number };

/** Not copied, because the lock belongs to the folder. */
const STAYS = new Set([...LOCK_FILES, 'moved.json']);

/** @throws ConfigError while the folder is in use or the new one is not empty; StoreError */
export async function moveData(from: string, to: string): Promise<Moved> {
  const paths = dataPaths(from);
  refuseWithoutData(from);
  if (isWithin(from, to) || isWithin(to, from))
    throw new ConfigError('One folder is inside the other. Choose a folder elsewhere.');
  prepareDataDir(to);
  if ((await readdir(to)).length > 0) throw new ConfigError(`${to} is not empty. Choose a new folder.`);
  finishRestore(from);
  const lock = ownDataDir(from);
  try {
    const key = injectedKey() ?? readOrCreateKeyFile(paths.key, paths.database);
    // The last connection that closes writes the log into the database, so that one file contains everything.
    await readWithin({ path: paths.database, key }, (db) => db.one('PRAGMA wal_checkpoint(TRUNCATE)'));
    const names = (await readdir(from)).filter((name) => !STAYS.has(name));
    try {
      for (const name of names) await copyChecked(path.join(from, name), path.join(to, name));
      await inspectSnapshot({ path: dataPaths(to).database, key });
    } catch (error) {
      for (const name of names) await rm(path.join(to, name), { recursive: true, force: true });
      throw error;
    }
    await writeNote(paths.moved, to);
    for (const name of names) await rm(path.join(from, name), { recursive: true, force: true });
    return { from, to, files: names.length };
  } finally {
    lock.release();
  }
}

const isWithin = (outer: string, inner: string): boolean => {
  const relative = path.relative(outer, inner);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
};

async function copyChecked(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, errorOnExist: true, force: false, preserveTimestamps: true });
  const files = (await readdir(from, { recursive: true, withFileTypes: true }).catch(() => null)) ?? [null];
  for (const entry of files) {
    if (entry !== null && !entry.isFile()) continue;
    const name = entry === null ? '' : path.relative(from, path.join(entry.parentPath, entry.name));
    const [source, copy] = [path.join(from, name), path.join(to, name)];
    if ((await hashOf(source)) !== (await hashOf(copy)))
      throw new ConfigError(
        `The copy of ${source} differs from the original. Nothing was moved. Check both disks, then try again.`,
      );
    await syncFile(copy);
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeNote(note: string, to: string): Promise<void> {
  await mkdir(path.dirname(note), { recursive: true });
  const draft = `${note}.draft`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify({ to }));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, note);
}

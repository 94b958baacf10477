/** Moves a data folder: copies and verifies it, writes the new path into the old folder, then deletes the old files. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { cp, open, readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ConfigError } from './errors.ts';
import { prepareDataDir, refuseWithoutData, refuseWithoutParent } from './folder.ts';
import { LOCK_FILES, ownDataDir } from './lock.ts';
import { dataPaths } from './location.ts';
import { finishRestore } from './finish-restore.ts';
import { injectedKey } from './injected-key.ts';
import { removeEach } from './remove-each.ts';
import { diskReasonOf, isDiskFull } from '../domain/disk.ts';
import { syncFolder, writeDurably } from '../store/sql/durable-file.ts';
import { readOrCreateKeyFile } from '../store/sql/key-file.ts';
import { inspectSnapshot, readWithin } from '../store/backup/snapshot.ts';

/** `left`: files of the old folder that could not be deleted. */
type Moved = { from: string; to: string; files: number; left: string[] };

/** Not copied, because the lock belongs to the folder. */
const STAYS = new Set([...LOCK_FILES, 'moved.json']);

/**
 * A failure leaves the old folder in use, and nothing in the new one.
 * @throws ConfigError while the folder is in use, contains a mount point, or the new one is not empty; StoreError
 */
export async function moveData(from: string, to: string): Promise<Moved> {
  refuseWithoutData(from);
  refuseWithoutParent(to);
  const isNew = !existsSync(to);
  const [inner, outer] = [await realPathOf(from), await realPathOf(to)];
  if (isWithin(inner, outer) || isWithin(outer, inner))
    throw new ConfigError('One folder is inside the other. Choose a folder elsewhere.');
  await refuseMounts(inner, to);
  prepareDataDir(to);
  if ((await readdir(to)).length > 0) throw new ConfigError(`${to} is not empty. Choose a new folder.`);
  try {
    finishRestore(from);
    const lock = ownDataDir(from);
    try {
      return await moveOwned(from, to);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (isNew) await rmdir(to).catch(() => undefined);
    if (!isDiskFull(error)) throw error;
    throw new ConfigError(`The disk of ${to} is full. Free some space, then try again. Nothing was moved.`);
  }
}

async function moveOwned(from: string, to: string): Promise<Moved> {
  const paths = dataPaths(from);
  const key = injectedKey() ?? readOrCreateKeyFile(paths.key, paths.database);
  // The last connection that closes writes the log into the database, so that one file contains everything.
  await readWithin({ path: paths.database, key }, (db) => db.one('PRAGMA wal_checkpoint(TRUNCATE)'));
  const names = (await readdir(from)).filter((name) => !STAYS.has(name));
  const copies = names.map((name) => path.join(to, name));
  try {
    for (const name of names) await copyChecked(path.join(from, name), path.join(to, name));
    await inspectSnapshot({ path: dataPaths(to).database, key });
    await writeDurably(paths.moved, JSON.stringify({ to }));
    await removeDatabase(paths.database, paths.moved);
  } catch (error) {
    await removeEach([paths.moved, ...copies]);
    throw error;
  }
  const left: string[] = [];
  for (const name of names) {
    const file = path.join(from, name);
    await rm(file, { recursive: true, force: true }).catch(() => void left.push(file));
  }
  return { from, to, files: names.length, left };
}

/** Only without it does the note lead to the new folder, so it goes first, or nothing is moved. @throws ConfigError */
async function removeDatabase(database: string, note: string): Promise<void> {
  try {
    await rm(database);
  } catch (error) {
    await rm(note);
    const reason = diskReasonOf(error) ?? String(error);
    throw new ConfigError(`${database} cannot be deleted: ${reason}. Nothing was moved.`);
  }
}

/** Of a folder that does not exist yet, where it would be. */
const realPathOf = async (folder: string): Promise<string> =>
  existsSync(folder)
    ? realpath(folder)
    : path.join(await realpath(path.dirname(folder)), path.basename(folder));

/** A mount point can be copied and not be deleted, so the data would be in both places. @throws ConfigError */
async function refuseMounts(from: string, to: string): Promise<void> {
  const [mount] = [...(await foldersOnOtherDisks(from)), ...mountPointsIn(from, await mountTable())];
  if (mount === undefined) return;
  const place = path.join(to, path.relative(from, mount));
  throw new ConfigError(
    `${mount} is a mount point, which cannot be moved. Unmount it, try again, and mount it at ${place}. Nothing was moved.`,
  );
}

async function foldersOnOtherDisks(folder: string): Promise<string[]> {
  const { dev } = await stat(folder);
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((each) => each.isDirectory()).map(({ name }) => path.join(folder, name));
  const disks = await Promise.all(folders.map((each) => stat(each)));
  return folders.filter((_, n) => disks[n]?.dev !== dev);
}

/** Linux lists folders of the same disk that are mounted a second time, too. */
const mountTable = (): Promise<string> => readFile('/proc/self/mountinfo', 'utf8').catch(() => '');

/** Below `folder`, from the system's table, which writes a space as `\\040`. */
export const mountPointsIn = (folder: string, table: string): string[] =>
  table
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .map((point) =>
      point.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))),
    )
    .filter((point) => point.startsWith(folder + path.sep));

const isWithin = (outer: string, inner: string): boolean => {
  const relative = path.relative(outer, inner);
  return relative === '' || (!/^\.\.(?:[/\\]|$)/.test(relative) && !path.isAbsolute(relative));
};

async function copyChecked(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, errorOnExist: true, force: false, preserveTimestamps: true });
  const entries = (await readdir(from, { recursive: true, withFileTypes: true }).catch(() => null)) ?? [null];
  for (const entry of entries) {
    const name = entry === null ? '' : path.relative(from, path.join(entry.parentPath, entry.name));
    const [source, copy] = [path.join(from, name), path.join(to, name)];
    if (entry?.isDirectory()) syncFolder(copy);
    if (entry !== null && !entry.isFile()) continue;
    if ((await hashOf(source)) !== (await hashOf(copy)))
      throw new ConfigError(
        `The copy of ${source} differs from the original. Nothing was moved. Check both disks, then try again.`,
      );
    await syncFile(copy);
  }
  // The originals are deleted next.
  if (entries[0] !== null) syncFolder(to);
  syncFolder(path.dirname(to));
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

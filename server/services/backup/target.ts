/**
 * Where a backup may be written: never over a file that it did not make, inside the data folder only in `backups`, and
 * never in a folder that is missing, which may be a disk that is not mounted.
 */
import { existsSync } from 'node:fs';
import { link, lstat, mkdir, open, readdir, realpath, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '../../refusals/refusal.ts';
import { readBackupHeader } from './container/read.ts';

const BACKUPS = 'backups';

const SECOND_MS = 1_000;

/**
 * The file of a backup that is made now. Names have seconds: if another backup of this second has taken the name, it is that of
 * the next free one.
 */
export function freeTarget(folder: string, nameAt: (ms: number) => string, nowMs: number): string {
  const file = path.join(folder, nameAt(nowMs));
  return existsSync(file) ? freeTarget(folder, nameAt, nowMs + SECOND_MS) : file;
}

type Target = {
  file: string;
  /** Folder of the database, by any of its paths. */
  dataDir: string;
  /** A Gatehouse backup of this name may be replaced. */
  mayReplace: boolean;
};

/** @throws Refusal `backup_file_exists`, `not_a_backup`, `backup_folder_missing`, `backup_folder_in_data` */
export async function checkTarget({ file, dataDir, mayReplace }: Target): Promise<void> {
  const folder = path.dirname(file);
  await makeOwnFolder(folder, dataDir);
  await checkFolder(folder, dataDir);
  const found = await lstat(file).catch(() => null);
  if (found === null) return;
  const isBackup = found.isFile() && (await isGatehouseBackup(file));
  if (mayReplace && isBackup) return;
  if (mayReplace)
    throw new Refusal('not_a_backup', {
      message: `${file} is not a Gatehouse backup, so it is not replaced. Choose another name.`,
    });
  const other = isBackup ? ', or replace that backup with --replace' : '';
  throw new Refusal('backup_file_exists', {
    message: `${file} already exists. Nothing was written. Choose another name${other}.`,
  });
}

/** By inode too, because a folder can have several paths: links, mounts, capital letters. @throws Refusal */
export async function checkFolder(folder: string, dataDir: string): Promise<void> {
  const real = await realpath(folder).catch(() => null);
  if (real === null || !(await stat(real)).isDirectory())
    throw new Refusal('backup_folder_missing', {
      message: `The folder ${folder} does not exist. Create it, or check that its disk is connected. Nothing was written.`,
    });
  const { own, backups } = await foldersOf(dataDir);
  for (let at = real; ; at = path.dirname(at)) {
    const id = await idOf(at);
    if (own.has(id))
      throw new Refusal('backup_folder_in_data', {
        message: `${folder} is in the data folder ${dataDir}, where only ${BACKUPS} takes backups. Choose another folder.`,
      });
    if (id === backups || at === path.dirname(at)) return;
  }
}

/** Puts a finished file in place. @throws Refusal if its name has been taken meanwhile */
export async function placeBackup(draft: string, target: Target): Promise<void> {
  await checkTarget(target);
  if (target.mayReplace) return rename(draft, target.file);
  try {
    await link(draft, target.file);
    await rm(draft, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return checkTarget(target);
    // File systems of memory sticks have no links. This file takes the name, and nobody else's can be replaced.
    await (await open(target.file, 'wx', 0o600)).close();
    await rename(draft, target.file);
  }
}

/** @throws Refusal `backup_disk_full` if so many bytes certainly do not fit */
export async function checkSpace(file: string, bytes: number): Promise<void> {
  const disk = await statfs(path.dirname(file)).catch(() => null);
  // Some network disks do not say how large they are.
  if (disk === null || disk.blocks === 0 || disk.bavail * disk.bsize >= bytes) return;
  throw diskFull(file, bytes);
}

export function diskFull(file: string, bytes?: number, cause?: unknown): Refusal {
  const needed = bytes === undefined ? '' : ` The backup needs at least ${Math.ceil(bytes / 1e6)} MB.`;
  return new Refusal('backup_disk_full', {
    message: `The disk of the folder ${path.dirname(file)} is full.${needed} No backup was made.`,
    cause,
  });
}

async function isGatehouseBackup(file: string): Promise<boolean> {
  return readBackupHeader(file).then(
    () => true,
    () => false,
  );
}

/** Only `backups` in an existing data folder is made. */
async function makeOwnFolder(folder: string, dataDir: string): Promise<void> {
  if (path.basename(folder) !== BACKUPS) return;
  const [parent, data] = await Promise.all(
    [path.dirname(folder), dataDir].map((each) => idOf(each).catch(() => null)),
  );
  if (parent === null || parent !== data) return;
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

/** The data folder and the folders in it that take no backups. */
async function foldersOf(dataDir: string): Promise<{ own: Set<string>; backups: string | null }> {
  const own = new Set([await idOf(dataDir)]);
  const entries = await readdir(dataDir, { withFileTypes: true });
  for (const entry of entries.filter((each) => each.isDirectory() && each.name !== BACKUPS))
    own.add(await idOf(path.join(dataDir, entry.name)));
  return { own, backups: await idOf(path.join(dataDir, BACKUPS)).catch(() => null) };
}

const idOf = async (folder: string): Promise<string> => {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${dev}:${ino}`;
};

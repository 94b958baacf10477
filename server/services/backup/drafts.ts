/**
 * The unfinished files of a backup. A killed process leaves up to three, each as large as the database; the next backup
 * or start removes them. Their names tell whose they are, and a lock whether one is still being written.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectLock, takes } from '../../store/sql/sqlite/file-lock.ts';

/** In the data folder. Every backup of the installation shares it, in whatever process. */
export const BACKUP_LOCK_FILE = 'gatehouse.lock-backup';
const TAG_BYTES = 8;
const POLL_MS = 50;
const SUFFIXES = ['', '-journal', '-wal', '-shm', '-mark'];

type Installation = { databasePath: string; databaseKey: Uint8Array };

export type Drafts = { snapshot: string; container: string; check: string };

/** Two installations can use one folder, so the name has a mark that only this one makes. */
const tagOf = ({ databaseKey }: Installation): string =>
  Buffer.from(hkdfSync('sha256', databaseKey, '', 'gatehouse backup, drafts 1', TAG_BYTES)).toString('hex');

/** Unique, so that two backups of one file do not meet. */
export const draftOf = (target: string, installation: Installation): string =>
  `${target}.${tagOf(installation)}-${randomBytes(TAG_BYTES).toString('hex')}`;

export const draftsOf = (draft: string): Drafts => ({
  snapshot: `${draft}.snapshot`,
  container: `${draft}.partial`,
  check: `${draft}.check`,
});

/** One that cannot be removed was never made, or matters less than the error being reported. */
export async function removeDraft(file: string): Promise<void> {
  for (const suffix of SUFFIXES) await rm(file + suffix, { force: true }).catch(() => undefined);
}

/**
 * Runs `work` while nobody takes its drafts for left ones. If this installation is making no other backup, first
 * removes the drafts that killed ones left in the folders.
 */
export async function besideDrafts<T>(
  installation: Installation,
  folders: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const file = path.join(path.dirname(installation.databasePath), BACKUP_LOCK_FILE);
  const connection = connectLock(file, 0);
  try {
    if (takes(connection, 'BEGIN EXCLUSIVE')) {
      for (const folder of new Set(folders)) await removeLeft(folder, tagOf(installation));
      connection.exec('COMMIT');
    }
    // Another process is removing drafts just now.
    while (!takes(connection, 'BEGIN')) await sleep(POLL_MS);
    return await work();
  } finally {
    connection.close();
  }
}

async function removeLeft(folder: string, tag: string): Promise<void> {
  const name = new RegExp(
    String.raw`\.${tag}-[0-9a-f]{16}\.(?:snapshot|partial|check)(?:-journal|-wal|-shm|-mark)?$`,
  );
  const names = await readdir(folder).catch(() => []);
  for (const left of names.filter((each) => name.test(each)))
    await rm(path.join(folder, left), { force: true }).catch(() => undefined);
}

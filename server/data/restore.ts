/** Restores a backup into a folder. */
import type { Actor } from '../domain/operators/actor.ts';
import { existsSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { prepareDataDir } from './folder.ts';
import { LOCK_FILES, ownDataDir } from './lock.ts';
import { databaseFiles, dataPaths } from './location.ts';
import { removeEach } from './remove-each.ts';
import { finishRestore, markRestored, switchDatabase } from './finish-restore.ts';
import { injectedKey } from './injected-key.ts';
import { systemClock } from '../services/ports/clock.ts';
import { readBackupHeader } from '../services/backup/container/read.ts';
import { type RecoveryKey, recoveryKeyOf } from '../services/backup/recovery-phrase.ts';
import { type Access, readAccess } from '../services/backup/restore/repeat-access.ts';
import { type Erasure, knownErasures } from '../services/backup/restore/repeat-erasures.ts';
import { dataDiskFull, type Restored, restoreBackup } from '../services/backup/restore/restore.ts';
import { isDiskFull } from '../domain/disk.ts';
import { Refusal } from '../refusals/refusal.ts';
import { readOrCreateKeyFile } from '../store/sql/key-file.ts';
import { readWithin } from '../store/backup/snapshot.ts';

type RestoreOptions = {
  file: string;
  /** The 24 words; without them the backup must come from this installation. */
  phrase: string | null;
  /** What an earlier refusal asked to confirm; null without one. */
  confirmed: string | null;
  /** Operators, keys and kiosks that the replaced data never had keep their access. */
  keepsAccess: boolean;
  actor: Actor;
};

/**
 * Replaces the data of a folder with a backup's. The previous database stays in the folder that the result names as
 * `previous`; null if there was none. A failure leaves the folder as it was.
 * @throws ConfigError while the folder is in use; Refusal, StoreError
 */
export async function restoreData(
  dataDir: string,
  options: RestoreOptions,
): Promise<Restored & { previous: string | null }> {
  const recovery = options.phrase === null ? null : recoveryKeyOf(options.phrase);
  // Before anything is made in the folder.
  await readBackupHeader(options.file);
  const paths = dataPaths(dataDir);
  const [isNew, hadKey] = [!existsSync(dataDir), existsSync(paths.key)];
  prepareDataDir(dataDir);
  let isDone = false;
  try {
    finishRestore(dataDir);
    const lock = ownDataDir(dataDir);
    try {
      const restored = await replaceData(dataDir, options, recovery);
      isDone = true;
      return restored;
    } finally {
      if (!isDone && !hadKey) rmSync(paths.key, { force: true });
      lock.release();
    }
  } catch (error) {
    if (isNew && !isDone) removeNewFolder(dataDir);
    throw isDiskFull(error) ? dataDiskFull(dataDir, undefined, error) : error;
  }
}

async function replaceData(
  dataDir: string,
  { file, confirmed, keepsAccess, actor }: RestoreOptions,
  recovery: RecoveryKey | null,
): Promise<Restored & { previous: string | null }> {
  const paths = dataPaths(dataDir);
  const hadDatabase = existsSync(paths.database);
  // The phrase works without the key file, so a database that cannot be opened does not block a restore.
  const guarded = recovery ? paths.restored : paths.database;
  const key = injectedKey() ?? readOrCreateKeyFile(paths.key, guarded);
  const restored = await restoreBackup({
    file,
    opener: recovery ? { kind: 'recovery', key: recovery, databaseKey: key } : { kind: 'database', key },
    isInPlace: hadDatabase,
    keepsAccess,
    target: paths.restored,
    targetKey: key,
    erasures: async () => (hadDatabase ? readErasures(paths.database, key) : []),
    access: async () => (hadDatabase ? knownAccess(paths.database, key) : null),
    clock: systemClock,
    actor,
  });
  if (restored.question !== null && restored.question !== confirmed) {
    await removeEach(databaseFiles(paths.restored));
    throw unconfirmed(restored, hadDatabase);
  }
  const previous = await markRestored(dataDir, systemClock.now());
  switchDatabase(dataDir);
  return { ...restored, previous: hadDatabase ? previous : null };
}

function unconfirmed({ proof, admins, disabled, question }: Restored, isInPlace: boolean): Refusal {
  // A name in a forged backup must not control the terminal.
  const names = admins.map(({ name }) => JSON.stringify(name.replaceAll(/\p{C}/gu, '?'))).join(', ');
  const why =
    proof === 'none'
      ? 'This backup is not signed, because its phrase is from an earlier version: somebody else may have made it.'
      : 'This backup was not made with the database key of the data that it replaces.';
  const { operators, keys, kiosks } = disabled;
  const access = isInPlace
    ? ` Disabled, because the replaced data never had them: ${operators} operators, ${keys} keys, ${kiosks} kiosks; add --keep-access to keep theirs.`
    : '';
  return new Refusal('admins_unconfirmed', {
    message:
      `${why} Nothing was restored. Admins after the restore: ${names || 'none'}.${access} ` +
      `If you know all of them, run the command again with --confirm-admins ${question ?? ''}.`,
  });
}

/** Only if nothing else is in it. */
function removeNewFolder(dataDir: string): void {
  for (const name of LOCK_FILES) rmSync(path.join(dataDir, name), { force: true });
  try {
    rmdirSync(dataDir);
  } catch {
    // Something else has used the folder since.
  }
}

/** A damaged database may not be readable. */
async function readErasures(database: string, key: Uint8Array): Promise<Erasure[]> {
  return readWithin({ path: database, key }, knownErasures).catch(() => []);
}

/** The same of one that cannot even be opened. */
async function knownAccess(database: string, key: Uint8Array): Promise<Access | null> {
  return readWithin({ path: database, key }, readAccess).catch(() => null);
}

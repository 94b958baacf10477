/** Automatic backups: one per night, of which the latest few are kept. */
import { type DeletionTime, olderThan } from '../../domain/clock.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { changeSetting } from '../../store/operators/audit.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Clock, DeletionGuard } from '../ports/clock.ts';
import { changedNames } from '../wire/versions.ts';
import { isMadeWith } from './container/keys.ts';
import { readBackupHeader } from './container/read.ts';
import { type BackupSource, createAuditedBackup } from './create.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { besideDrafts } from './drafts.ts';
import { backupsByHand, LAST, recordFailedBackup } from './history.ts';
import type { MadeBackup } from './make.ts';
import { backupsToRemove, isAutomaticName, isOldDraft, madeAtOf, nightlyBackupName } from './names.ts';
import type { BackupsOfFaces } from '../../store/venue/event-faces.ts';

const SETTING = 'backup.automatic';
/** Prevents a server that restarts at noon from making a second one for the same night. */
const BETWEEN_MS = 20 * 3_600_000;

export type AutomaticBackups = {
  isOn: boolean;
  /** Null for the `backups` folder of the data folder. */
  folder: string | null;
  /** Number of nightly backups that are kept. */
  keep: number;
  /** Whether the folder was on another disk than the data when it was chosen. */
  isOtherDisk?: boolean;
};

export const DEFAULT_BACKUP_SETTINGS: AutomaticBackups = { isOn: true, folder: null, keep: 7 };

export async function readBackupSettings(db: SqlReader): Promise<AutomaticBackups> {
  return { ...DEFAULT_BACKUP_SETTINGS, ...(await readSetting<Partial<AutomaticBackups>>(db, SETTING)) };
}

/** The caller has validated them: `keep` from 1 to `MAX_BACKUPS_KEPT`, `folder` an absolute path. */
export async function storeBackupSettings(
  tx: SqlTx,
  clock: Clock,
  settings: AutomaticBackups,
  actor: Actor,
): Promise<void> {
  const changed = changedNames(backupFields(await readBackupSettings(tx)), backupFields(settings));
  tx.afterCommit('health');
  await changeSetting(tx, SETTING, settings, {
    at: clock.now(),
    actor,
    action: 'backup.settings',
    details: { is_on: settings.isOn, own_folder: settings.folder !== null, keep: settings.keep, changed },
  });
}

/** As on the wire. */
export const backupFields = ({ isOn, folder, keep }: AutomaticBackups) => ({ is_on: isOn, folder, keep });

/** Where backups go: the folder of the data folder, unless another one was chosen. */
export type BackupFolders = { dataDir: string; defaultFolder: string };

/**
 * The folder for the next backup.
 * @throws Refusal `backup_folder_missing` where its disk is not connected, so that its place belongs to the disk of the data
 */
export async function folderForBackup(
  db: SqlReader,
  { dataDir, defaultFolder }: BackupFolders,
): Promise<string> {
  const { folder, isOtherDisk } = await readBackupSettings(db);
  if (folder !== null && isOtherDisk === true && !(await isOnOtherDisk(folder, dataDir)))
    throw new Refusal('backup_folder_missing', {
      message: `The disk of ${folder} is not connected: the folder was on another disk than the data when it was chosen. No backup was made.`,
    });
  return folder ?? defaultFolder;
}

/** Also of a folder that is missing, whose own check says so. */
export async function isOnOtherDisk(folder: string, dataDir: string): Promise<boolean> {
  const [of, data] = await Promise.all([stat(folder).catch(() => null), stat(dataDir)]);
  return of?.dev !== data.dev;
}

/** The last automatic backup; null if there was none. */
type LastBackup = { at: number; file: string; bytes: number };

export const lastAutomaticBackup = (db: SqlReader): Promise<LastBackup | null> =>
  readSetting<LastBackup>(db, LAST);

type NightlyBackup = BackupSource & {
  defaultFolder: string;
  deletions: DeletionGuard;
  /** Gives it up at the end of the service; the next start makes it. */
  ending?: AbortSignal;
};

/**
 * Makes the night's backup if one is due. Whether or not it does, removes surplus and old backups, which contain people
 * who were erased since, unless the clock is in doubt.
 * @returns null if none was due
 * @throws Refusal, StoreError
 */
export async function backUpNightly(
  db: Database,
  clock: Clock,
  { deletions, ...input }: NightlyBackup,
): Promise<MadeBackup | null> {
  // Those of a killed process fill the disk that the next backup needs.
  await besideDrafts(input, await foldersOf(db, input.defaultFolder), async () => undefined);
  try {
    return await makeIfDue(db, clock, input);
  } catch (error) {
    // A full disk takes no record either, and says so itself.
    if (input.ending?.aborted !== true)
      await recordFailedBackup(db, error, clock.now()).catch(() => undefined);
    throw error;
  } finally {
    const time = deletions.deletionTime();
    if (time !== null) await removeOldBackups(db, input, time);
  }
}

/**
 * After faces have ended: makes a fresh backup, then deletes the automatic ones that were made since the first of these faces.
 * Those that were made by hand are only named. Where there is no backup to replace, none is made.
 * @param sinceMs null if there was no face
 * @throws Refusal, StoreError
 */
export async function replaceBackups(
  db: Database,
  clock: Clock,
  { defaultFolder, ending, ...source }: Omit<NightlyBackup, 'deletions'>,
  sinceMs: number | null,
): Promise<BackupsOfFaces> {
  if (sinceMs === null) return { replaced: [], byHand: [] };
  // The name has whole seconds.
  const isSince = (madeAt: number | null) => madeAt !== null && madeAt >= sinceMs - 1_000;
  const outdated: string[] = [];
  for (const place of new Set(await foldersOf(db, defaultFolder))) {
    const names = existsSync(place) ? (await readdir(place)).filter(isAutomaticName) : [];
    const known = names.filter((name) => isSince(madeAtOf(name)));
    const own = place === defaultFolder ? known : await ownOf(place, known, source.databaseKey);
    outdated.push(...own.map((name) => path.join(place, name)));
  }
  if (outdated.length > 0) {
    const folder = await folderForBackup(db, { defaultFolder, dataDir: path.dirname(source.databasePath) });
    await makeNightly(db, clock, source, { folder, ending });
  }
  for (const file of outdated) await rm(file, { force: true });
  const byHand = (await backupsByHand(db)).filter(({ file, madeAt }) => isSince(madeAt) && existsSync(file));
  return { replaced: outdated.map((file) => path.basename(file)).sort(), byHand };
}

async function makeIfDue(
  db: Database,
  clock: Clock,
  { defaultFolder, ending, ...source }: Omit<NightlyBackup, 'deletions'>,
): Promise<MadeBackup | null> {
  const { isOn } = await readBackupSettings(db);
  if (!isOn || !(await isDue(db, clock.now()))) return null;
  const folder = await folderForBackup(db, { defaultFolder, dataDir: path.dirname(source.databasePath) });
  return makeNightly(db, clock, source, { folder, ending });
}

async function makeNightly(
  db: Database,
  clock: Clock,
  source: BackupSource,
  { folder, ending }: { folder: string; ending?: AbortSignal | undefined },
): Promise<MadeBackup> {
  const made = await createAuditedBackup(db, clock, source, {
    target: path.join(folder, nightlyBackupName(clock.now())),
    actor: 'system',
    ending,
  });
  const last: LastBackup = { at: clock.now(), file: made.file, bytes: made.bytes };
  await db.tx((tx) => writeSetting(tx, LAST, last));
  return made;
}

/** Those made before an upgrade are in the default folder even if another one is chosen. */
async function foldersOf(db: SqlReader, defaultFolder: string): Promise<string[]> {
  const { folder } = await readBackupSettings(db);
  return folder === null ? [defaultFolder] : [defaultFolder, folder];
}

type Own = { defaultFolder: string; databaseKey: Uint8Array };

/** A chosen folder can hold the backups of other installations, which have the same names: only this one's key tells them apart. */
async function removeOldBackups(
  db: SqlReader,
  { defaultFolder, databaseKey }: Own,
  time: DeletionTime,
): Promise<void> {
  const { keep } = await readBackupSettings(db);
  for (const place of new Set(await foldersOf(db, defaultFolder))) {
    const names = existsSync(place) ? await readdir(place) : [];
    const known = names.filter(isAutomaticName);
    const own = place === defaultFolder ? known : await ownOf(place, known, databaseKey);
    for (const name of backupsToRemove(own, keep, time)) await rm(path.join(place, name), { force: true });
    for (const name of names.filter(isOldDraft)) await removeOldDraft(path.join(place, name), time);
  }
}

async function ownOf(place: string, names: readonly string[], databaseKey: Uint8Array): Promise<string[]> {
  const own: string[] = [];
  for (const name of names) {
    const header = await readBackupHeader(path.join(place, name)).catch(() => null);
    if (header !== null && isMadeWith(header, databaseKey)) own.push(name);
  }
  return own;
}

/** One that is still being written is younger. */
async function removeOldDraft(file: string, time: DeletionTime): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found !== null && found.mtimeMs <= olderThan(time, BETWEEN_MS)) await rm(file, { force: true });
}

/** A new installation has nothing to save. */
async function isDue(db: SqlReader, nowMs: number): Promise<boolean> {
  const first = await db.one<{ at: number | null }>('SELECT MIN(at) AS at FROM audit_entries');
  const since = (await lastAutomaticBackup(db))?.at ?? first?.at;
  // A backup from the future was made before the clock was corrected.
  return since !== undefined && since !== null && Math.abs(nowMs - since) >= BETWEEN_MS;
}

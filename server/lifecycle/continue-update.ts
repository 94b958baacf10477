/**
 * An update at the start of the service, before anything else opens the data: a backup, then the new version on the data, where
 * nobody can reach it. Only if it works does the next start run it. If that start fails, the one after it runs the version before.
 * An update that fails leaves the data as before, and so the version.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { ServerConfig } from '../config.ts';
import { finishRestore } from '../data/finish-restore.ts';
import { databaseKeyOf } from '../data/folder.ts';
import { injectedKey } from '../data/injected-key.ts';
import { dataPaths } from '../data/location.ts';
import { restoreData } from '../data/restore.ts';
import { isDiskFull } from '../domain/disk.ts';
import type { UpdateFailure } from '../domain/updates/manifest.ts';
import { visibleLines } from '../domain/visible.ts';
import { Refusal } from '../refusals/refusal.ts';
import { createBackup } from '../services/backup/create.ts';
import { migrationBackupName } from '../services/backup/names.ts';
import { freeTarget } from '../services/backup/target.ts';
import {
  alone,
  isThere,
  type Journal,
  programOf,
  readJournal,
  removeOtherVersions,
  switchTo,
  type UpdateHome,
  writeJournal,
} from '../services/updates/home.ts';
import { schemaVersionOf } from '../store/backup/snapshot.ts';
import { SCHEMA_VERSION } from '../store/schema/migrations.ts';

/** A new version that does not work within this time does not work; nor does one that does not serve within it. */
export const HEALTHY_WITHIN_MS = 60_000;
const MOST_SAID_CHARS = 2_000;

type Data = Pick<ServerConfig, 'dataDir' | 'databaseUrl'>;
type Trying = Extract<Journal, { phase: 'trying' }>;

/** What a start of the service does next. */
type Next =
  /** This version serves. */
  | 'serves'
  /** As `serves`, for the first time: unless it does within `HEALTHY_WITHIN_MS`, it must end. */
  | 'serves_first'
  /** End; the next start runs the new version. */
  | 'switched'
  /** End; the next start runs the version before. */
  | 'switched_back';

/**
 * @param mayTakeMs how long the new version has to work
 * @throws Refusal `update_refused` while another process does it; whatever keeps the data from being restored
 */
export async function continueUpdate(
  home: UpdateHome,
  data: Data,
  mayTakeMs = HEALTHY_WITHIN_MS,
): Promise<Next> {
  const phase = (await readJournal(home))?.phase;
  if (phase !== 'wanted' && phase !== 'trying') return 'serves';
  return alone(home, async () => {
    const journal = await readJournal(home);
    if (journal?.phase === 'wanted') return tryOut(home, data, journal, mayTakeMs);
    if (journal?.phase !== 'trying') return 'serves';
    if (journal.to === home.version) return startNew(home, data, journal);
    await undo(home, data, journal, { why: journal.isStarted ? 'not_healthy' : 'interrupted', said: '' });
    return 'serves';
  });
}

/** At a start of the new version, until it has served: the first one may serve, the next one leads back. */
async function startNew(home: UpdateHome, { databaseUrl }: Data, journal: Trying): Promise<Next> {
  // On PostgreSQL, the version before could not start on a database that was changed.
  const leadsBack = databaseUrl === null || journal.schema === SCHEMA_VERSION;
  if (journal.isStarted && leadsBack && isThere(home, journal.from)) {
    await switchTo(home, journal.from);
    return 'switched_back';
  }
  await writeJournal(home, { ...journal, isStarted: true });
  return 'serves_first';
}

async function tryOut(
  home: UpdateHome,
  data: Data,
  { from, to, at, actor }: Journal,
  mayTakeMs: number,
): Promise<Next> {
  const journal = { from, to, at, actor };
  const giveUp = async (why: UpdateFailure, said: string): Promise<Next> => {
    await writeJournal(home, {
      ...journal,
      phase: 'rolled_back',
      why,
      said,
      restored: false,
      isRecorded: false,
    });
    await removeOtherVersions(home, [home.version]);
    return 'serves';
  };
  if (!isThere(home, to)) return giveUp('not_complete', '');
  let backup: string | null;
  try {
    backup = await backUp(data);
  } catch (error) {
    const isFull = isDiskFull(error) || (error instanceof Refusal && error.code === 'backup_disk_full');
    return giveUp(isFull ? 'no_space' : 'backup_failed', String(error));
  }
  const trying: Trying = { ...journal, phase: 'trying', backup, schema: SCHEMA_VERSION, isStarted: false };
  await writeJournal(home, trying);
  const failure = await runOnce(home, data, to, mayTakeMs);
  if (failure !== null) {
    await undo(home, data, trying, failure);
    return 'serves';
  }
  await switchTo(home, to);
  return 'switched';
}

/** Null if there is nothing to copy: without data, and on PostgreSQL, which has backups of its own. */
async function backUp({ dataDir, databaseUrl }: Data): Promise<string | null> {
  const { database, backups } = dataPaths(dataDir);
  if (databaseUrl !== null) return null;
  finishRestore(dataDir);
  if (!existsSync(database)) return null;
  const databaseKey = databaseKeyOf(dataDir);
  const nowMs = Date.now();
  await mkdir(backups, { recursive: true, mode: 0o700 });
  const target = freeTarget(backups, (ms) => migrationBackupName(SCHEMA_VERSION, ms), nowMs);
  const made = await createBackup({ databasePath: database, databaseKey, target, nowMs });
  return made.file;
}

/** Has the new version open the data, answer on addresses that nobody knows, and end. Null if it did. */
async function runOnce(
  home: UpdateHome,
  { dataDir }: Data,
  version: string,
  mayTakeMs: number,
): Promise<{ why: UpdateFailure; said: string } | null> {
  const key = injectedKey();
  const args = ['update', 'try', '--data-dir', dataDir, ...(key ? ['--key-stdin'] : [])];
  // In a group of its own, so that all of it can be ended.
  const child = spawn(programOf(home, version), args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MOST_SAID_CHARS);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(key ? Buffer.from(key).toString('hex') : '');
  const endAll = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  process.once('exit', endAll);
  const late = AbortSignal.timeout(mayTakeMs);
  late.addEventListener('abort', endAll);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      said += String(error);
      resolve(null);
    });
    child.once('close', resolve);
  });
  late.removeEventListener('abort', endAll);
  process.off('exit', endAll);
  if (code === 0) return null;
  return { why: late.aborted ? 'too_slow' : 'not_healthy', said: visibleLines(said.trim()) };
}

/**
 * The data as before the new version, if that has changed its form; anything else that it wrote, this version would have written
 * as well. Can be repeated.
 */
async function undo(
  home: UpdateHome,
  { dataDir, databaseUrl }: Data,
  { backup, from, to, at, actor }: Trying,
  failure: { why: UpdateFailure; said: string },
): Promise<void> {
  let restored = false;
  if (databaseUrl === null && backup !== null) {
    finishRestore(dataDir);
    const database = { path: dataPaths(dataDir).database, key: databaseKeyOf(dataDir) };
    if (!isAsBefore(database)) {
      await restoreData(dataDir, {
        file: backup,
        phrase: null,
        confirmed: null,
        // Nobody was reached meanwhile, so there is no access that the backup could bring back.
        keepsAccess: true,
        actor: 'system',
      });
      restored = true;
    }
  }
  // Where a person has started this version, the link may still lead to the new one.
  await switchTo(home, home.version);
  const journal = { from, to, at, actor, ...failure };
  await writeJournal(home, { ...journal, phase: 'rolled_back', restored, isRecorded: false });
  await removeOtherVersions(home, [home.version]);
}

/** Ends a new version that hangs at its first start, so that the next start leads back. */
export function endUnlessServing(home: UpdateHome, end: () => void): void {
  setTimeout(() => {
    void readJournal(home).then((journal) => {
      if (journal?.phase === 'trying') end();
    });
  }, HEALTHY_WITHIN_MS).unref();
}

function isAsBefore(database: { path: string; key: Uint8Array }): boolean {
  try {
    return schemaVersionOf(database) === SCHEMA_VERSION;
  } catch {
    return false;
  }
}

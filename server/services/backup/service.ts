/** Manual backups, one at a time, with the progress of the current one. */
import type { BackupErrorCode } from '../../contract/console/errors.ts';
import { backupErrorOf } from '../../refusals/refusal.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BackupFile, BackupState } from '../../contract/console/settings.ts';
import type { Database } from '../../store/sql/port.ts';
import { type BackupFolders, folderForBackup, readBackupSettings } from './automatic.ts';
import { type BackupSource, createAuditedBackup } from './create.ts';
import { EXTENSION, manualBackupName } from './names.ts';
import { freeTarget } from './target.ts';
import type { Clock } from '../ports/clock.ts';
import { iso } from '../wire/values.ts';

/** The page has no use for more. */
const MOST_FILES = 50;
/** A backup needs twice its size at once: the sealed file, beside the copy that it is made of or the one that verifies it. */
export const PASSES = 2;
/** The files that a backup writes one after the other, each about as large as the database. */
const STAGES = ['.snapshot', '.partial', '.check'];

type ReplacedData = { folder: string; replacedAt: number; bytes: number };

export type BackupService = {
  dataDir: string;
  /** Starts the service again after a restore; null if whatever runs it does so. */
  startCommand: string | null;
  /** Data that restores replaced, newest first. */
  replaced(): Promise<ReplacedData[]>;
  /** The current folder for backups. */
  folder(): Promise<string>;
  /** Newest first; empty if the folder does not exist yet. */
  files(): Promise<BackupFile[]>;
  running(): Promise<BackupState['running']>;
  /** Why the last manual backup failed; null after a successful one. */
  failure(): BackupErrorCode | null;
  /** Starts a backup, unless one is in progress. */
  begin(actor: Actor): Promise<void>;
  /** Resolves when none is in progress. @param mayTakeMs gives one up after that time */
  idle(mayTakeMs?: number): Promise<void>;
};

export function createBackupService(
  db: Database,
  clock: Clock,
  source: BackupFolders & Pick<BackupService, 'startCommand' | 'replaced'> & { of: () => BackupSource },
  onError: (error: unknown) => void,
): BackupService {
  let underWay: { target: string; startedAt: number; done: Promise<void> } | null = null;
  let failure: BackupErrorCode | null = null;
  const ending = new AbortController();
  const folder = async (): Promise<string> => (await readBackupSettings(db)).folder ?? source.defaultFolder;

  async function make(target: string, actor: Actor): Promise<void> {
    try {
      await folderForBackup(db, source);
      await createAuditedBackup(db, clock, source.of(), { target, actor, ending: ending.signal });
      failure = null;
    } catch (error) {
      failure = backupErrorOf(error);
      onError(error);
    } finally {
      underWay = null;
    }
  }

  return {
    dataDir: source.dataDir,
    startCommand: source.startCommand,
    replaced: source.replaced,
    folder,
    files: async () => listBackups(await folder()),
    async running() {
      if (!underWay) return null;
      const { target, startedAt } = underWay;
      const whole = await sizeOf(source.of().databasePath);
      const drafts = await draftsOf(target);
      const stage = STAGES.findLastIndex((end) => drafts.some((name) => name.endsWith(end)));
      const written = await sizeOf(drafts.find((name) => name.endsWith(STAGES[stage] ?? '')) ?? '');
      const share = whole === 0 || stage === -1 ? 0 : (stage + Math.min(1, written / whole)) / STAGES.length;
      return { started_at: iso(startedAt), percent: Math.min(99, Math.floor(100 * share)) };
    },
    failure: () => failure,
    async begin(actor) {
      const target = freeTarget(await folder(), manualBackupName, clock.now());
      // Checked without waiting in between, so that two clicks start only one.
      if (underWay) return;
      underWay = { target, startedAt: clock.now(), done: Promise.resolve() };
      underWay.done = make(target, actor);
    },
    async idle(mayTakeMs) {
      const late = mayTakeMs === undefined ? undefined : setTimeout(() => ending.abort(), mayTakeMs);
      await underWay?.done;
      clearTimeout(late);
    },
  };
}

async function listBackups(folder: string): Promise<BackupFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(EXTENSION));
  const files = await Promise.all(
    names.map(async (name) => {
      const found = await stat(path.join(folder, name)).catch(() => null);
      return found ? [{ name, bytes: found.size, made_at: iso(found.mtimeMs) }] : [];
    }),
  );
  return files
    .flat()
    .sort((a, b) => b.made_at.localeCompare(a.made_at))
    .slice(0, MOST_FILES);
}

async function draftsOf(target: string): Promise<string[]> {
  const names = await readdir(path.dirname(target)).catch(() => []);
  const drafts = names.filter((name) => name.startsWith(`${path.basename(target)}.`));
  return drafts.map((name) => path.join(path.dirname(target), name));
}

export const sizeOf = async (file: string): Promise<number> =>
  (await stat(file).catch(() => null))?.size ?? 0;

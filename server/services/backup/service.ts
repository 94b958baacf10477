/** Manual backups, one at a time, with the progress of the current one. */
import type { BackupErrorCode } from '../../contract/console/errors.ts';
import { backupErrorOf } from '../errors.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BackupFile, BackupState } from '../../contract/console/settings.ts';
import type { Database } from '../../store/sql/port.ts';
import { readBackupSettings } from './automatic.ts';
import { type BackupSource, createAuditedBackup } from './create.ts';
import { EXTENSION, manualBackupName } from './names.ts';
import type { Clock } from '../clock.ts';
import { iso } from '../wire-values.ts';

/** The page has no use for more. */
const MOST_FILES = 50;
/** A backup needs three times its size: the copy, the sealed file, and the copy that verifies it. */
export const PASSES = 3;

export type BackupService = {
  /** The current folder for backups. */
  folder(): Promise<string>;
  /** Newest first; empty if the folder does not exist yet. */
  files(): Promise<BackupFile[]>;
  running(): Promise<BackupState['running']>;
  /** Why the last manual backup failed; null after a successful one. */
  failure(): BackupErrorCode | null;
  /** Starts a backup, unless one is in progress. */
  begin(actor: Actor): Promise<void>;
  /** Resolves when none is in progress. */
  idle(): Promise<void>;
};

export function createBackupService(
  db: Database,
  clock: Clock,
  source: { of: () => BackupSource; defaultFolder: string },
  onError: (error: unknown) => void,
): BackupService {
  let underWay: { target: string; startedAt: number; done: Promise<void> } | null = null;
  let failure: BackupErrorCode | null = null;
  const folder = async (): Promise<string> => (await readBackupSettings(db)).folder ?? source.defaultFolder;

  async function make(target: string, actor: Actor): Promise<void> {
    try {
      await createAuditedBackup(db, clock, source.of(), { target, actor });
      failure = null;
    } catch (error) {
      failure = backupErrorOf(error);
      onError(error);
    } finally {
      underWay = null;
    }
  }

  return {
    folder,
    files: async () => listBackups(await folder()),
    async running() {
      if (!underWay) return null;
      const { target, startedAt } = underWay;
      const whole = (await sizeOf(source.of().databasePath)) * PASSES;
      const drafts = await draftsOf(target);
      const sizes = await Promise.all(drafts.map(sizeOf));
      const written = sizes.reduce((sum, bytes) => sum + bytes, 0);
      return {
        started_at: iso(startedAt),
        percent: Math.min(99, whole === 0 ? 0 : Math.floor((100 * written) / whole)),
      };
    },
    failure: () => failure,
    async begin(actor) {
      const target = path.join(await folder(), manualBackupName(clock.now()));
      // Checked without waiting in between, so that two clicks start only one.
      if (underWay) return;
      underWay = { target, startedAt: clock.now(), done: Promise.resolve() };
      underWay.done = make(target, actor);
    },
    idle: async () => underWay?.done,
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

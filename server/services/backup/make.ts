/** Makes one backup file from start to finish. Blocks its thread while SQLite copies, so run it in the worker. */
import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type Contents,
  inspectSnapshot,
  settingOf,
  sizeOfSnapshot,
  takeSnapshot,
} from '../../store/backup/snapshot.ts';
import { syncFolder } from '../../store/sql/durable-file.ts';
import { StoreError } from '../../store/sql/port.ts';
import { KEY_BYTES } from './container/format.ts';
import { readContainer } from './container/read.ts';
import { writeContainer } from './container/write.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { diskReasonOf, isDiskFull } from '../../domain/disk.ts';
import { type Drafts, draftsOf, removeDraft } from './drafts.ts';
import { checkSpace, checkTarget, diskFull, placeBackup } from './target.ts';
import { RECOVERY_SETTING, type RecoverySetting } from './recovery-setting.ts';

export type MakeInput = {
  databasePath: string;
  databaseKey: Uint8Array;
  /** The backup file. */
  target: string;
  /** Replaces a Gatehouse backup of that name once the new one has been verified; no other file is ever replaced. */
  mayReplace?: boolean;
  nowMs: number;
};

/** `draft` begins the names of its unfinished files. */
export type MakeWork = MakeInput & { draft: string };

export type MadeBackup = {
  file: string;
  bytes: number;
  createdAt: string;
  schemaVersion: number;
  rows: number;
  /** Whether the recovery phrase opens it, too. */
  hasRecovery: boolean;
  /** Whether it is signed. A phrase from an earlier version signs nothing. */
  isSigned: boolean;
};

/** @throws Refusal, StoreError */
export async function makeBackup(input: MakeWork): Promise<MadeBackup> {
  const target = path.resolve(input.target);
  const place = {
    file: target,
    dataDir: path.dirname(input.databasePath),
    mayReplace: input.mayReplace === true,
  };
  const drafts = draftsOf(input.draft);
  try {
    await checkTarget(place);
    await checkSpace(target, sizeOfSnapshot({ path: input.databasePath, key: input.databaseKey }));
    const made = await writeDraft(input, drafts);
    // Frees its space for the copy that is read back.
    await removeDraft(drafts.snapshot);
    await verify(input, drafts, made.contents);
    await placeBackup(drafts.container, place);
    syncFolder(path.dirname(target));
    const { size } = await stat(target);
    return {
      file: target,
      bytes: size,
      createdAt: new Date(input.nowMs).toISOString(),
      schemaVersion: made.contents.schemaVersion,
      rows: Object.values(made.contents.rows).reduce((sum, n) => sum + n, 0),
      hasRecovery: made.recovery !== null,
      isSigned: made.recovery?.signing_key !== undefined,
    };
  } catch (error) {
    throw explain(error, target);
  } finally {
    for (const file of Object.values(drafts)) await removeDraft(file);
  }
}

async function writeDraft(
  { databasePath, databaseKey, nowMs }: MakeInput,
  { snapshot, container }: Drafts,
): Promise<{ contents: Contents; recovery: RecoverySetting | null }> {
  // A separate key: a stolen backup reveals nothing about the key of the running database.
  const snapshotKey = randomBytes(KEY_BYTES);
  await (await open(snapshot, 'wx', 0o600)).close();
  takeSnapshot({ path: databasePath, key: databaseKey }, { path: snapshot, key: snapshotKey });
  const file = { path: snapshot, key: snapshotKey };
  const contents = await inspectSnapshot(file);
  const recovery = settingOf(file, RECOVERY_SETTING) as RecoverySetting | null;
  await writeContainer(container, {
    content: snapshot,
    manifest: {
      ...contents,
      snapshotKey: snapshotKey.toString('hex'),
      bytes: (await stat(snapshot)).size,
    },
    databaseKey,
    recovery: recovery && {
      publicKey: Buffer.from(recovery.public_key, 'hex'),
      signingKey: recovery.signing_key === undefined ? null : Buffer.from(recovery.signing_key, 'hex'),
    },
    createdAt: nowMs,
  });
  return { contents, recovery };
}

/** Reads the finished file back like a restore. @throws */
async function verify({ databaseKey }: MakeInput, drafts: Drafts, written: Contents): Promise<void> {
  const opener = { kind: 'database', key: databaseKey } as const;
  const { manifest } = await readContainer(drafts.container, opener, drafts.check);
  const key = Buffer.from(manifest.snapshotKey, 'hex');
  const found = await inspectSnapshot({ path: drafts.check, key });
  if (JSON.stringify(found) !== JSON.stringify(written)) {
    throw new Refusal('backup_failed', {
      message: 'The backup differs from the data when it is read back. Check the disk, then try again.',
    });
  }
}

/** Of the disk of the backup only: the words of a failure of the database are right already. */
function explain(error: unknown, target: string): unknown {
  const isStore = error instanceof StoreError;
  if (isStore && path.dirname(error.file ?? '') !== path.dirname(target)) return error;
  if (isStore ? error.code === 'database_full' : isDiskFull(error)) return diskFull(target, undefined, error);
  const reason = isStore && error.code === 'database_not_writable' ? 'no permission' : diskReasonOf(error);
  if (reason === null) return error;
  return new Refusal('file_not_writable', {
    message: `The backup ${target} cannot be written: ${reason}.`,
    cause: error,
  });
}

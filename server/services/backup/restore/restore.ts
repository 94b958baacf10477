/**
 * Restores a backup into a data folder that no other process uses. All work happens next to the old database; the
 * caller then swaps them.
 */
import type { Actor } from '../../../domain/operators/actor.ts';
import { rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { appendAudit } from '../../../store/operators/audit.ts';
import { endEverySession } from '../../../store/operators/sessions.ts';
import { SCHEMA_VERSION } from '../../../store/schema/migrations.ts';
import { type Database, StoreError } from '../../../store/sql/port.ts';
import { changeKey, inspectSnapshot } from '../../../store/backup/snapshot.ts';
import { openSqlite } from '../../../store/sql/sqlite/driver.ts';
import type { Clock } from '../../ports/clock.ts';
import { readSetting, writeSetting } from '../../../store/settings.ts';
import type { BackupKey, Proof } from '../container/keys.ts';
import { readBackupHeader, readContainer } from '../container/read.ts';
import { isDiskFull } from '../../../domain/disk.ts';
import { Refusal } from '../../../refusals/refusal.ts';
import { RECOVERY_SETTING, type RecoverySetting } from '../recovery-setting.ts';
import {
  confirmationOf,
  type Disabled,
  type FutureAdmin,
  futureAdmins,
  limitAccess,
} from './limit-access.ts';
import { type Access, repeatAccess } from './repeat-access.ts';
import { type Erasure, repeatErasures } from './repeat-erasures.ts';

type RestoreInput = {
  /** The backup file. */
  file: string;
  opener: BackupKey;
  /** Path of the verified database. Leftovers of an earlier attempt are removed. */
  target: string;
  /** The key that encrypts it: the installation's own. */
  targetKey: Uint8Array;
  /** People known to have been erased. */
  erasures: () => Promise<readonly Erasure[]>;
  /** Who has access to the data that is replaced; null if there is none, or it cannot be read. */
  access: () => Promise<Access | null>;
  /** Data is replaced, readable or not. */
  isInPlace: boolean;
  /** Operators, keys and kiosks that it never had keep the access that they have in the backup. */
  keepsAccess: boolean;
  clock: Clock;
  actor: Actor;
};

export type Restored = {
  createdAt: string;
  /** Schema version of the backup; the restored database has that of this Gatehouse. */
  schemaVersion: number;
  rows: number;
  auditEntries: number;
  /** People in the backup who had been erased since, and were erased again. */
  erasedAgain: number;
  /** Keys, kiosks, operators and invites that have the access of before the restore and not that of the backup. */
  accessKept: number;
  proof: Proof;
  /** Those that the replaced data never had, and that came back disabled. */
  disabled: Disabled;
  /** Admins of the restored data. */
  admins: FutureAdmin[];
  /** Whether the admins have to be confirmed before the data is used, and how. */
  question: string | null;
};

/** @throws Refusal, StoreError */
export async function restoreBackup(input: RestoreInput): Promise<Restored> {
  const { file, opener, target, targetKey, clock } = input;
  const header = await readBackupHeader(file);
  if (header.schema_version > SCHEMA_VERSION) {
    throw new Refusal('backup_from_the_future', {
      message:
        `This backup was made by a newer version of Gatehouse (schema ${header.schema_version}; this one supports up to ` +
        `${SCHEMA_VERSION}). Restore it with that version.`,
    });
  }
  await removeTarget(target);
  await checkRoom(file, target);
  try {
    const { manifest, proof } = await readContainer(file, opener, target);
    changeKey({ path: target, key: Buffer.from(manifest.snapshotKey, 'hex') }, targetKey);
    const found = await inspectSnapshot({ path: target, key: targetKey });
    const { schemaVersion, rows, auditEntries } = manifest;
    if (JSON.stringify(found) !== JSON.stringify({ schemaVersion, rows, auditEntries })) {
      throw new Refusal('backup_damaged', {
        message:
          'The restored database differs from the contents listed in the backup. Your data was not replaced. Use another backup.',
      });
    }
    const erasures = await input.erasures();
    const access = await input.access();
    // Migrates the schema like every start, so that a failure shows here and not after the swap.
    const db = await openSqlite({ path: target, keyPath: `${target}.key`, key: targetKey });
    let erasedAgain: number;
    let accessKept: number;
    let disabled: Disabled = { operators: 0, keys: 0, kiosks: 0 };
    let admins: FutureAdmin[];
    try {
      erasedAgain = await repeatErasures(db, clock, erasures);
      const isTrusted = proof === 'database';
      if (!isTrusted) await forgetOtherPhrase(db, opener);
      accessKept = await repeatAccess(db, access, clock.now());
      const { keepsAccess } = input;
      if (access) disabled = await limitAccess(db, access, { at: clock.now(), keepsAccess, isTrusted });
      admins = await futureAdmins(db);
      const details = { made_at: header.created_at, access_kept: accessKept, proof, disabled };
      await recordRestore(db, input, details);
    } finally {
      await db.close();
    }
    return {
      createdAt: header.created_at,
      schemaVersion,
      rows: Object.values(rows).reduce((sum, n) => sum + n, 0),
      auditEntries,
      erasedAgain,
      accessKept,
      proof,
      disabled,
      admins,
      question: asksFor(proof, input.isInPlace) ? confirmationOf(admins) : null,
    };
  } catch (error) {
    await removeTarget(target);
    const isFull = isDiskFull(error) || (error instanceof StoreError && error.code === 'database_full');
    throw isFull ? dataDiskFull(path.dirname(target), undefined, error) : error;
  }
}

/** A backup is about as large as the database in it. @throws Refusal `data_disk_full` */
async function checkRoom(file: string, target: string): Promise<void> {
  const [{ size }, disk] = [await stat(file), await statfs(path.dirname(target)).catch(() => null)];
  // Some network disks do not say how large they are.
  if (disk !== null && disk.blocks > 0 && disk.bavail * disk.bsize < size)
    throw dataDiskFull(path.dirname(target), size);
}

export function dataDiskFull(dataDir: string, bytes?: number, cause?: unknown): Refusal {
  const needed = bytes === undefined ? '' : ` The restored data needs at least ${Math.ceil(bytes / 1e6)} MB.`;
  return new Refusal('data_disk_full', {
    message: `The disk of the data folder ${dataDir} is full.${needed} Nothing was restored.`,
    cause,
  });
}

/** In place, the phrase alone is not enough: it can be that of another installation. */
const asksFor = (proof: Proof, isInPlace: boolean): boolean =>
  proof === 'none' || (proof === 'phrase' && isInPlace);

/** A backup contains the phrase that opens it. Another one would let its maker read all later backups. */
async function forgetOtherPhrase(db: Database, opener: BackupKey): Promise<void> {
  if (opener.kind === 'database') return;
  const own = [opener.key.signed, opener.key.unsigned].map(({ publicKey }) => publicKey.toString('hex'));
  await db.tx(async (tx) => {
    const setting = await readSetting<RecoverySetting>(tx, RECOVERY_SETTING);
    if (setting !== null && !own.includes(setting.public_key)) await writeSetting(tx, RECOVERY_SETTING, null);
  });
}

/** Everyone has to sign in again: the backup has sessions that were ended after it was made. */
async function recordRestore(
  db: Database,
  { clock, actor }: RestoreInput,
  details: { made_at: string; access_kept: number; proof: Proof; disabled: Disabled },
): Promise<void> {
  await db.tx(async (tx) => {
    const at = clock.now();
    await endEverySession(tx, at, 'backup restored');
    await appendAudit(tx, { at, actor, action: 'backup.restore', subject: 'installation', details });
  });
}

export async function removeTarget(target: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal', '-mark']) await rm(target + suffix, { force: true });
}

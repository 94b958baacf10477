import type { Role } from '../contract/console/common.ts';
import type { AttemptCount } from '../domain/attempt-limit.ts';
import type { SqlReader, SqlTx } from './port.ts';

export type OperatorOrigin = 'setup' | 'console' | 'cli';

/** Someone who signs in to the console. Never deleted, so that the audit log keeps its names. */
export type StoredOperator = {
  id: string;
  name: string;
  nameKey: string;
  role: Role;
  origin: OperatorOrigin;
  passphraseHash: string;
  passphraseChangedAt: number;
  pinHash: string | null;
  pinFailedAttempts: number;
  pinLockRounds: number;
  pinLockedUntil: number | null;
  createdAt: number;
  lastSignedInAt: number | null;
  disabledAt: number | null;
};

export type NewOperator = Omit<
  StoredOperator,
  'pinHash' | 'pinFailedAttempts' | 'pinLockRounds' | 'pinLockedUntil' | 'lastSignedInAt' | 'disabledAt'
>;

const COLUMNS = `id, name, name_key AS nameKey, role, origin, passphrase_hash AS passphraseHash,
  passphrase_changed_at AS passphraseChangedAt, pin_hash AS pinHash, pin_failed_attempts AS pinFailedAttempts,
  pin_lock_rounds AS pinLockRounds, pin_locked_until AS pinLockedUntil, created_at AS createdAt, last_signed_in_at AS lastSignedInAt,
  disabled_at AS disabledAt`;

/** Fails on a unique constraint where the name is taken, or the wizard has made its admin already. */
export async function insertOperator(tx: SqlTx, operator: NewOperator): Promise<void> {
  await tx.run(
    `INSERT INTO operators (id, name, name_key, role, origin, passphrase_hash, passphrase_changed_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    operator.id,
    operator.name,
    operator.nameKey,
    operator.role,
    operator.origin,
    operator.passphraseHash,
    operator.passphraseChangedAt,
    operator.createdAt,
  );
}

export function findOperator(db: SqlReader, id: string): Promise<StoredOperator | undefined> {
  return db.one<StoredOperator>(`SELECT ${COLUMNS} FROM operators WHERE id = ?`, id);
}

export function findOperatorByNameKey(db: SqlReader, nameKey: string): Promise<StoredOperator | undefined> {
  return db.one<StoredOperator>(`SELECT ${COLUMNS} FROM operators WHERE name_key = ?`, nameKey);
}

export function listOperators(db: SqlReader): Promise<StoredOperator[]> {
  return db.all<StoredOperator>(`SELECT ${COLUMNS} FROM operators ORDER BY name_key`);
}

/** Admins who can sign in. */
export async function countAdmins(db: SqlReader): Promise<number> {
  const row = await db.one<{ n: number }>(
    `SELECT COUNT(*) AS n FROM operators WHERE role = 'admin' AND disabled_at IS NULL`,
  );
  return row?.n ?? 0;
}

/** Whether there has ever been an admin. */
export async function adminExists(db: SqlReader): Promise<boolean> {
  return (await db.one(`SELECT 1 AS found FROM operators WHERE role = 'admin' LIMIT 1`)) !== undefined;
}

export function updateOperator(
  tx: SqlTx,
  id: string,
  change: Pick<StoredOperator, 'name' | 'nameKey' | 'role' | 'disabledAt'>,
): Promise<number> {
  return tx.run(
    'UPDATE operators SET name = ?, name_key = ?, role = ?, disabled_at = ? WHERE id = ?',
    change.name,
    change.nameKey,
    change.role,
    change.disabledAt,
    id,
  );
}

export function setPassphraseHash(tx: SqlTx, id: string, hash: string, at: number): Promise<number> {
  return tx.run(
    'UPDATE operators SET passphrase_hash = ?, passphrase_changed_at = ? WHERE id = ?',
    hash,
    at,
    id,
  );
}

/** A new PIN, or none; its failures are forgotten. */
export function setPinHash(tx: SqlTx, id: string, hash: string | null): Promise<number> {
  return tx.run(
    `UPDATE operators SET pin_hash = ?, pin_failed_attempts = 0, pin_lock_rounds = 0, pin_locked_until = NULL
     WHERE id = ?`,
    hash,
    id,
  );
}

export function setPinFailures(
  tx: SqlTx,
  id: string,
  { failedAttempts, lockRounds, lockedUntil }: AttemptCount,
): Promise<number> {
  return tx.run(
    'UPDATE operators SET pin_failed_attempts = ?, pin_lock_rounds = ?, pin_locked_until = ? WHERE id = ?',
    failedAttempts,
    lockRounds,
    lockedUntil,
    id,
  );
}

export function touchSignedIn(tx: SqlTx, id: string, at: number): Promise<number> {
  return tx.run('UPDATE operators SET last_signed_in_at = ? WHERE id = ?', at, id);
}

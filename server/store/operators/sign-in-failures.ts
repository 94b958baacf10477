import type { FailureCount } from '../../domain/operators/lock-out.ts';
import { deleteSome, OVER_AT_ONCE } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

const COLUMNS = 'failed_attempts AS failedAttempts, lock_rounds AS lockRounds, locked_until AS lockedUntil';

/**
 * One counter of failures.
 * @param key hash that identifies it
 */
export function findSignInFailures(db: SqlReader, key: Uint8Array): Promise<FailureCount | undefined> {
  return db.one<FailureCount>(
    `SELECT ${COLUMNS} FROM sign_in_failures WHERE name_hash = ?`,
    db.secrets.digest(key),
  );
}

/**
 * Counters of one name.
 * @param subject hash of the name
 */
export function listSignInFailures(db: SqlReader, subject: Uint8Array): Promise<FailureCount[]> {
  return db.all<FailureCount>(
    `SELECT ${COLUMNS} FROM sign_in_failures WHERE subject = ?`,
    db.secrets.digest(subject),
  );
}

export async function saveSignInFailures(
  tx: SqlTx,
  { key, subject }: { key: Uint8Array; subject: Uint8Array | null },
  { failedAttempts, lockRounds, lockedUntil }: FailureCount,
  at: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO sign_in_failures (name_hash, subject, failed_attempts, lock_rounds, locked_until, last_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (name_hash) DO UPDATE SET failed_attempts = excluded.failed_attempts,
       lock_rounds = excluded.lock_rounds, locked_until = excluded.locked_until, last_at = excluded.last_at`,
    tx.secrets.digest(key),
    subject === null ? null : tx.secrets.digest(subject),
    failedAttempts,
    lockRounds,
    lockedUntil,
    at,
  );
}

export function forgetSignInFailures(tx: SqlTx, key: Uint8Array): Promise<number> {
  return tx.run('DELETE FROM sign_in_failures WHERE name_hash = ?', tx.secrets.digest(key));
}

/**
 * All counters of one name.
 * @param subject hash of the name
 */
export function forgetFailuresOf(tx: SqlTx, subject: Uint8Array): Promise<number> {
  return tx.run('DELETE FROM sign_in_failures WHERE subject = ?', tx.secrets.digest(subject));
}

/** Keeps guessed names from filling the table. Returns rows removed, at most `OVER_AT_ONCE`. */
export function forgetFailuresBefore(tx: SqlTx, before: number): Promise<number> {
  const old = { table: 'sign_in_failures', key: 'name_hash', where: 'last_at < ?' };
  return deleteSome(tx.run, old, [before], OVER_AT_ONCE);
}

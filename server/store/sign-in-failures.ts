import type { SqlReader, SqlTx } from './port.ts';

export type SignInFailures = { failedAttempts: number; lockedUntil: number | null };

export function findSignInFailures(db: SqlReader, nameHash: Uint8Array): Promise<SignInFailures | undefined> {
  return db.one<SignInFailures>(
    `SELECT failed_attempts AS failedAttempts, locked_until AS lockedUntil FROM sign_in_failures WHERE name_hash = ?`,
    nameHash,
  );
}

export async function saveSignInFailures(
  tx: SqlTx,
  nameHash: Uint8Array,
  { failedAttempts, lockedUntil }: SignInFailures,
  at: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO sign_in_failures (name_hash, failed_attempts, locked_until, last_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (name_hash) DO UPDATE SET failed_attempts = excluded.failed_attempts,
       locked_until = excluded.locked_until, last_at = excluded.last_at`,
    nameHash,
    failedAttempts,
    lockedUntil,
    at,
  );
}

export function forgetSignInFailures(tx: SqlTx, nameHash: Uint8Array): Promise<number> {
  return tx.run('DELETE FROM sign_in_failures WHERE name_hash = ?', nameHash);
}

/** Keeps names that were only guessed at from filling the table. */
export function forgetFailuresBefore(tx: SqlTx, before: number): Promise<number> {
  return tx.run('DELETE FROM sign_in_failures WHERE last_at < ?', before);
}

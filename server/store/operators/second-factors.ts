import { insertRow } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** An operator's authenticator. The secret is encrypted at rest, and never listed or logged. */
type StoredSecondFactor = { secret: string; enrolledAt: number; lastStep: number };

export async function findSecondFactor(
  db: SqlReader,
  operatorId: string,
): Promise<StoredSecondFactor | undefined> {
  const row = await db.one<StoredSecondFactor>(
    'SELECT secret, enrolled_at AS enrolledAt, last_step AS lastStep FROM second_factors WHERE operator_id = ?',
    operatorId,
  );
  return row && { ...row, secret: db.secrets.open('second_factors.secret', [operatorId], row.secret) };
}

/** Replaces the previous one. */
export async function saveSecondFactor(
  tx: SqlTx,
  operatorId: string,
  { secret, enrolledAt, lastStep }: StoredSecondFactor,
): Promise<void> {
  await tx.run(
    `INSERT INTO second_factors (operator_id, secret, enrolled_at, last_step) VALUES (?, ?, ?, ?)
     ON CONFLICT (operator_id) DO UPDATE SET secret = excluded.secret, enrolled_at = excluded.enrolled_at,
       last_step = excluded.last_step`,
    operatorId,
    tx.secrets.seal('second_factors.secret', [operatorId], secret),
    enrolledAt,
    lastStep,
  );
}

/** 1 if the time step is later than every step used before; 0 for a code that was already used. */
export function claimStep(tx: SqlTx, operatorId: string, step: number): Promise<number> {
  return tx.run(
    'UPDATE second_factors SET last_step = ? WHERE operator_id = ? AND last_step < ?',
    step,
    operatorId,
    step,
  );
}

/** Removes the factor, an unfinished enrolment, and all recovery codes. Returns whether there was a factor. */
export async function deleteSecondFactor(tx: SqlTx, operatorId: string): Promise<boolean> {
  await tx.run('DELETE FROM recovery_codes WHERE operator_id = ?', operatorId);
  await tx.run('DELETE FROM second_factor_enrolments WHERE operator_id = ?', operatorId);
  return (await tx.run('DELETE FROM second_factors WHERE operator_id = ?', operatorId)) > 0;
}

/** Replaces an earlier unfinished enrolment. */
export async function saveEnrolment(
  tx: SqlTx,
  operatorId: string,
  { secret, expiresAt }: { secret: string; expiresAt: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO second_factor_enrolments (operator_id, secret, expires_at) VALUES (?, ?, ?)
     ON CONFLICT (operator_id) DO UPDATE SET secret = excluded.secret, expires_at = excluded.expires_at`,
    operatorId,
    tx.secrets.seal('second_factor_enrolments.secret', [operatorId], secret),
    expiresAt,
  );
}

export async function findEnrolment(
  db: SqlReader,
  operatorId: string,
): Promise<{ secret: string; expiresAt: number } | undefined> {
  const row = await db.one<{ secret: string; expiresAt: number }>(
    'SELECT secret, expires_at AS expiresAt FROM second_factor_enrolments WHERE operator_id = ?',
    operatorId,
  );
  return (
    row && { ...row, secret: db.secrets.open('second_factor_enrolments.secret', [operatorId], row.secret) }
  );
}

export function deleteEnrolment(tx: SqlTx, operatorId: string): Promise<number> {
  return tx.run('DELETE FROM second_factor_enrolments WHERE operator_id = ?', operatorId);
}

/** Replaces all earlier codes. */
export async function saveRecoveryCodes(
  tx: SqlTx,
  operatorId: string,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await tx.run('DELETE FROM recovery_codes WHERE operator_id = ?', operatorId);
  for (const hash of hashes)
    await insertRow(tx, 'recovery_codes', { operator_id: operatorId, code_hash: hash });
}

/** 1 if the code existed and was unused. */
export function claimRecoveryCode(
  tx: SqlTx,
  operatorId: string,
  hash: Uint8Array,
  at: number,
): Promise<number> {
  return tx.run(
    'UPDATE recovery_codes SET used_at = ? WHERE operator_id = ? AND code_hash = ? AND used_at IS NULL',
    at,
    operatorId,
    hash,
  );
}

export async function countRecoveryCodes(db: SqlReader, operatorId: string): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM recovery_codes WHERE operator_id = ? AND used_at IS NULL',
    operatorId,
  );
  return row?.n ?? 0;
}

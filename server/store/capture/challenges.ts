import { LIVENESS_STEPS, type LivenessStep } from '../../contract/flow.ts';
import type { Scope } from '../../domain/scope.ts';
import { insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** Binds a session's verdict to one capture, by a nonce that can be used once. */
export type Challenge = {
  nonceHash: Uint8Array;
  sessionId: string;
  issuedAt: number;
  expiresAt: number;
  usedAt: number | null;
};

/** Stores a new challenge; unused earlier ones of the session become void. */
export async function replaceChallenge(tx: SqlTx, challenge: Omit<Challenge, 'usedAt'>): Promise<void> {
  await tx.run('DELETE FROM challenges WHERE session_id = ? AND used_at IS NULL', challenge.sessionId);
  await insertRow(tx, 'challenges', {
    nonce_hash: challenge.nonceHash,
    session_id: challenge.sessionId,
    issued_at: challenge.issuedAt,
    expires_at: challenge.expiresAt,
  });
}

export const findChallenge = (
  db: SqlReader,
  sessionId: string,
  nonceHash: Uint8Array,
): Promise<Challenge | undefined> =>
  db.one<Challenge>(
    `SELECT nonce_hash AS nonceHash, session_id AS sessionId, issued_at AS issuedAt, expires_at AS expiresAt,
       used_at AS usedAt
     FROM challenges WHERE session_id = ? AND nonce_hash = ?`,
    sessionId,
    nonceHash,
  );

/** 1 for the single caller that uses the nonce, 0 for every other. */
export function spendChallenge(
  tx: SqlTx,
  sessionId: string,
  nonceHash: Uint8Array,
  at: number,
): Promise<number> {
  return tx.run(
    'UPDATE challenges SET used_at = ? WHERE session_id = ? AND nonce_hash = ? AND used_at IS NULL',
    at,
    sessionId,
    nonceHash,
  );
}

/**
 * Stores the order of the session's steps, unless it has one. Returns the one that it has, and whether a capture that used it
 * took too long.
 */
export async function keepStepOrder(
  tx: SqlTx,
  scope: Scope,
  sessionId: string,
  drawn: readonly LivenessStep[],
): Promise<{ order: LivenessStep[]; wasSlow: boolean }> {
  const row = await tx.one<{ stepOrder: string; slow: number }>(
    `UPDATE sessions SET step_order = COALESCE(step_order, ?) WHERE company_id = ? AND partition = ? AND id = ?
     RETURNING step_order AS stepOrder, slow_captures AS slow`,
    drawn.join(' '),
    ...ofScope(scope),
    sessionId,
  );
  // During a rolling upgrade, a node of the next version may have drawn a step that this one does not know.
  const kept = row?.stepOrder.split(' ') ?? [];
  const order = kept.filter((step): step is LivenessStep => LIVENESS_STEPS.some((known) => known === step));
  return { order, wasSlow: (row?.slow ?? 0) > 0 };
}

/** A capture of the session took too long after a step was shown. */
export async function markSlow(tx: SqlTx, scope: Scope, sessionId: string): Promise<void> {
  await tx.run(
    'UPDATE sessions SET slow_captures = slow_captures + 1 WHERE company_id = ? AND partition = ? AND id = ?',
    ...ofScope(scope),
    sessionId,
  );
}

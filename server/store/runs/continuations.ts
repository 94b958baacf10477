/** One-time links that move a run from one browser to another on the same phone. */
import type { Device } from '../../contract/flow.ts';
import type { Scope } from '../../domain/scope.ts';
import { insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { announceSession } from './session-rows.ts';

type Continuation = {
  fromTokenHash: Uint8Array;
  toTokenHash: Uint8Array | null;
  expiresAt: number;
  takenAt: number | null;
};

/** A new link invalidates unused ones that the same browser offered before. */
export async function replaceContinuation(
  tx: SqlTx,
  offer: {
    codeHash: Uint8Array;
    sessionId: string;
    fromTokenHash: Uint8Array;
    at: number;
    expiresAt: number;
  },
): Promise<void> {
  await tx.run(
    'DELETE FROM continuations WHERE session_id = ? AND from_token_hash = ? AND taken_at IS NULL',
    offer.sessionId,
    offer.fromTokenHash,
  );
  await insertRow(tx, 'continuations', {
    code_hash: offer.codeHash,
    session_id: offer.sessionId,
    from_token_hash: offer.fromTokenHash,
    offered_at: offer.at,
    expires_at: offer.expiresAt,
  });
}

export function findContinuation(
  db: SqlReader,
  sessionId: string,
  codeHash: Uint8Array,
): Promise<Continuation | undefined> {
  return db.one<Continuation>(
    `SELECT from_token_hash AS fromTokenHash, to_token_hash AS toTokenHash, expires_at AS expiresAt,
       taken_at AS takenAt
     FROM continuations WHERE session_id = ? AND code_hash = ?`,
    sessionId,
    codeHash,
  );
}

/** Whether the run has left the browser that holds this flow token. */
export async function hasContinued(
  db: SqlReader,
  sessionId: string,
  flowTokenHash: Uint8Array,
): Promise<boolean> {
  const taken = await db.one(
    'SELECT 1 FROM continuations WHERE session_id = ? AND from_token_hash = ? AND taken_at IS NOT NULL LIMIT 1',
    sessionId,
    flowTokenHash,
  );
  return taken !== undefined;
}

/** 1 for the single browser that uses the code, 0 for every other. */
export function takeContinuation(
  tx: SqlTx,
  codeHash: Uint8Array,
  taken: { flowTokenHash: Uint8Array; resumeKeyHash: Uint8Array | null; at: number },
): Promise<number> {
  return tx.run(
    `UPDATE continuations SET to_token_hash = ?, resume_key_hash = ?, taken_at = ?
     WHERE code_hash = ? AND taken_at IS NULL`,
    taken.flowTokenHash,
    taken.resumeKeyHash,
    taken.at,
    codeHash,
  );
}

/** Gives the same browser another token after a lost reply. */
export function retakeContinuation(
  tx: SqlTx,
  codeHash: Uint8Array,
  retaken: { flowTokenHash: Uint8Array; resumeKeyHash: Uint8Array; fromTokenHash: Uint8Array },
): Promise<number> {
  return tx.run(
    'UPDATE continuations SET to_token_hash = ? WHERE code_hash = ? AND resume_key_hash = ? AND to_token_hash = ?',
    retaken.flowTokenHash,
    codeHash,
    retaken.resumeKeyHash,
    retaken.fromTokenHash,
  );
}

/**
 * Replaces the flow token that holds the run, whether it is the session's own or that of the phone that a computer
 * handed it to.
 * @returns 0 if neither holds it any longer
 */
export async function moveFlowToken(
  tx: SqlTx,
  scope: Scope,
  sessionId: string,
  move: { from: Uint8Array; to: Uint8Array; resumeKeyHash: Uint8Array | null; device: Device },
): Promise<number> {
  const sessions = await tx.run(
    `UPDATE sessions SET flow_token_hash = ?, resume_key_hash = ?, device = ?
     WHERE company_id = ? AND partition = ? AND id = ? AND flow_token_hash = ? AND state = 'open'`,
    move.to,
    move.resumeKeyHash,
    move.device,
    ...ofScope(scope),
    sessionId,
    move.from,
  );
  announceSession(tx, sessionId, scope.companyId);
  if (sessions > 0) return sessions;
  return tx.run(
    `UPDATE handoffs SET flow_token_hash = ?, resume_key_hash = ?
     WHERE session_id = ? AND flow_token_hash = ? AND confirmed_at IS NOT NULL`,
    move.to,
    move.resumeKeyHash,
    sessionId,
    move.from,
  );
}

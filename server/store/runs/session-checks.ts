/** The lease of a session for the capture that is being judged, and the attempt that it uses up. */
import type { PersonFinding } from '../../contract/flow.ts';
import type { Scope } from '../../domain/scope.ts';
import { toJson } from '../rows.ts';
import type { Database, SqlReader, SqlTx } from '../sql/port.ts';
import { changeSession } from './session-rows.ts';

/**
 * Leases an open session to the capture that is judged next; 0 if another one has it. If the process is killed, the
 * lease expires.
 */
export function leaseCheck(
  tx: SqlTx,
  scope: Scope,
  id: string,
  lease: { nonceHash: Uint8Array; at: number; until: number },
): Promise<number> {
  return changeSession(tx, scope, id, {
    set: 'checking_nonce = ?, checking_until = ?',
    values: [lease.nonceHash, lease.until],
    where: `state = 'open' AND (checking_until IS NULL OR checking_until <= ?)`,
    bound: [lease.at],
  });
}

/** Ends a capture's lease without an outcome; 0 if another capture has taken it. */
export function releaseCheck(tx: SqlTx, scope: Scope, id: string, nonceHash: Uint8Array): Promise<number> {
  return changeSession(tx, scope, id, {
    set: 'checking_nonce = NULL, checking_until = NULL',
    where: 'checking_nonce = ?',
    bound: [nonceHash],
  });
}

/** Ends the leases of all captures, in any scope. Only for a start at which no other process can be judging. */
export async function endAllChecks(db: Pick<Database, 'write'>): Promise<void> {
  await db.write(
    'UPDATE sessions SET checking_nonce = NULL, checking_until = NULL WHERE checking_until IS NOT NULL',
  );
}

/** Sessions, of any scope, whose frames are being judged. */
export async function countChecks(db: SqlReader, nowMs: number): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM sessions WHERE checking_until > ?',
    nowMs,
  );
  return row?.n ?? 0;
}

/** Uses up one attempt, stores what the person may be told about it, and ends the capture's lease. */
export function recordFailedAttempt(
  tx: SqlTx,
  scope: Scope,
  id: string,
  findings: readonly PersonFinding[],
): Promise<number> {
  return changeSession(tx, scope, id, {
    set: `attempts_left = attempts_left - 1, findings = ?, checking_nonce = NULL, checking_until = NULL,
      step_order = NULL, slow_captures = 0`,
    values: [toJson(findings)],
    where: `state = 'open' AND attempts_left > 0`,
  });
}

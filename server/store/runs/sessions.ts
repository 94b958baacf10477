import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { inScope, insertRow, ofScope, optionalFlag, optionalJson, toJson } from '../rows.ts';
import { announceSession, changeSession, COLUMNS, fromRow, type Row, type Session } from './session-rows.ts';
import type { StoredSessionState } from '../../domain/runs/session-request.ts';

export type { Session } from './session-rows.ts';

export async function insertSession(
  tx: Pick<SqlTx, 'run' | 'secrets' | 'afterCommit'>,
  session: Session,
): Promise<void> {
  const { scope, request } = session;
  await insertRow(tx, 'sessions', {
    id: session.id,
    ...inScope(scope),
    verification_id: session.verificationId,
    key_id: session.keyId,
    invite_id: session.inviteId,
    state: session.state,
    origin: request.origin,
    return_path: request.returnPath,
    start_path: request.startPath,
    redirect_url: tx.secrets.seal('sessions.redirect_url', [session.id], request.redirectUrl),
    pass_params: tx.secrets.seal('sessions.pass_params', [session.id], optionalJson(request.passParams)),
    auto_return: optionalFlag(request.autoReturn),
    config: optionalJson(request.config),
    external_id: request.externalId,
    group_id: request.group,
    include_groups: request.includeGroups.length > 0 ? toJson(request.includeGroups) : null,
    identity_provider: request.identity?.provider ?? null,
    identity_identifier: request.identity?.identifier ?? null,
    identity_given: tx.secrets.seal('sessions.identity_given', [session.id], request.identity?.given ?? null),
    metadata: tx.secrets.seal('sessions.metadata', [session.id], optionalJson(request.metadata)),
    attempts_left: session.attemptsLeft,
    findings: toJson(session.findings),
    created_at: session.createdAt,
    expires_at: session.expiresAt,
    unopened_since: session.unopenedSince,
    generation: session.generation,
    connect_user_id: session.connectUserId,
    locked_phone: session.lockedPhone,
    direct_token_hash: session.directTokenHash,
  });
  announceSession(tx, session.id, scope.companyId);
}

/** By the ID in the link: it grants access itself, and determines its scope. */
export async function findSession(db: SqlReader, id: string): Promise<Session | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`, id);
  return row && fromRow(db, row);
}

/** The session whose token a device holds, on one verification. */
export async function findSessionByFlowToken(
  db: SqlReader,
  flowTokenHash: Uint8Array,
  verificationId: string,
): Promise<Session | undefined> {
  const row = await db.one<Row>(
    `SELECT ${COLUMNS} FROM sessions WHERE flow_token_hash = ? AND verification_id = ?`,
    flowTokenHash,
    verificationId,
  );
  return row && fromRow(db, row);
}

/** Ends an open session without a verdict. */
export function cancelSession(tx: SqlTx, scope: Scope, id: string, at: number): Promise<number> {
  return endSession(tx, scope, id, { state: 'cancelled', passId: null, at });
}

/** Ends an open session, and the lease of a capture on it; 0 if it was no longer open. */
export function endSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  end: { state: Exclude<StoredSessionState, 'open'>; passId: string | null; at: number },
): Promise<number> {
  return changeSession(tx, scope, id, {
    set: `state = ?, pass_id = ?, settled_at = ?, findings = '[]', step_order = NULL, checking_nonce = NULL,
      checking_until = NULL`,
    values: [end.state, end.passId, end.at],
    where: "state = 'open'",
  });
}

/** A reviewer has decided: the waiting session is settled. */
export function endReview(tx: SqlTx, scope: Scope, id: string): Promise<number> {
  return changeSession(tx, scope, id, {
    set: `state = 'settled'`,
    where: `state = 'in_review'`,
  });
}

/** Whether the run that the pass would belong to waits for a reviewer. */
export async function awaitsReviewer(db: SqlReader, scope: Scope, passId: string): Promise<boolean> {
  const found = await db.one(
    "SELECT 1 AS found FROM sessions WHERE company_id = ? AND partition = ? AND pass_id = ? AND state = 'in_review'",
    ...ofScope(scope),
    passId,
  );
  return found !== undefined;
}

import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { ofScope, optionalFlag, optionalJson, toJson } from '../rows.ts';
import { announceSession, changeSession, COLUMNS, fromRow, type Row, type Session } from './session-rows.ts';
import type { StoredSessionState } from '../../domain/runs/session-request.ts';

export type { Session } from './session-rows.ts';

export async function insertSession(
  tx: Pick<SqlTx, 'run' | 'secrets' | 'afterCommit'>,
  session: Session,
): Promise<void> {
  const { scope, request } = session;
  await tx.run(
    `INSERT INTO sessions (id, company_id, partition, verification_id, key_id, invite_id, state, origin, return_path, start_path,
       redirect_url, pass_params, auto_return, config, external_id, group_id, include_groups, identity_provider,
       identity_identifier, identity_given, metadata, attempts_left, findings, created_at, expires_at, unopened_since, generation, connect_user_id,
       locked_phone, direct_token_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session.id,
    ...ofScope(scope),
    session.verificationId,
    session.keyId,
    session.inviteId,
    session.state,
    request.origin,
    request.returnPath,
    request.startPath,
    tx.secrets.seal('sessions.redirect_url', [session.id], request.redirectUrl),
    tx.secrets.seal('sessions.pass_params', [session.id], optionalJson(request.passParams)),
    optionalFlag(request.autoReturn),
    optionalJson(request.config),
    request.externalId,
    request.group,
    request.includeGroups.length > 0 ? toJson(request.includeGroups) : null,
    request.identity?.provider ?? null,
    request.identity?.identifier ?? null,
    tx.secrets.seal('sessions.identity_given', [session.id], request.identity?.given ?? null),
    tx.secrets.seal('sessions.metadata', [session.id], optionalJson(request.metadata)),
    session.attemptsLeft,
    toJson(session.findings),
    session.createdAt,
    session.expiresAt,
    session.unopenedSince,
    session.generation,
    session.connectUserId,
    session.lockedPhone,
    session.directTokenHash,
  );
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
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET state = ?, pass_id = ?, settled_at = ?, findings = '[]', step_order = NULL, checking_nonce = NULL,
       checking_until = NULL
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'`,
    end.state,
    end.passId,
    end.at,
    ...ofScope(scope),
    id,
  );
}

/** A reviewer has decided: the waiting session is settled. */
export function endReview(tx: SqlTx, scope: Scope, id: string): Promise<number> {
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET state = 'settled' WHERE company_id = ? AND partition = ? AND id = ? AND state = 'in_review'`,
    ...ofScope(scope),
    id,
  );
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

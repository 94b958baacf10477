import type { Device, PersonFinding } from '../../contract/flow.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Database, SqlReader, SqlTx, SqlValue } from '../sql/port.ts';
import { optionalFlag, optionalJson, toJson } from '../rows.ts';
import { eraseCodes } from '../phone/codes.ts';
import { deleteHandoffsOf } from './handoffs.ts';
import { COLUMNS, fromRow, type Row, type Session } from './session-rows.ts';
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
    scope.companyId,
    scope.partition,
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
  tx.afterCommit('session', session.id);
}

/** By the ID in the link: it grants access itself, and determines its scope. */
export async function findSession(db: SqlReader, id: string): Promise<Session | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`, id);
  return row && fromRow(db, row);
}

/** Runs a statement that changes one session, and announces the session if it did. Returns the rows changed. */
async function changeSession(tx: SqlTx, id: string, sql: string, ...params: SqlValue[]): Promise<number> {
  const changed = await tx.run(sql, ...params);
  if (changed > 0) tx.afterCommit('session', id);
  return changed;
}

/** The first act uses up the `t` of a direct link. One parameter: when. */
const SPEND_DIRECT_TOKEN = `direct_token_used_at =
  CASE WHEN direct_token_hash IS NULL THEN NULL ELSE COALESCE(direct_token_used_at, ?) END`;

/** Of an open session on which no person has acted: no consent, no phone that proved itself with the computer's number. */
const NOBODY_ACTED = `consent_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM handoffs WHERE session_id = sessions.id AND confirmed_at IS NOT NULL)`;

/**
 * Gives the session to the page that opens it. Until the person's first act this takes it from any earlier page, with
 * that page's offers to a phone; then 0, unless the session was released.
 */
export async function bindSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  claim: { flowTokenHash: Uint8Array; resumeKeyHash: Uint8Array | null; device: Device; at: number },
): Promise<number> {
  const bound = await changeSession(
    tx,
    id,
    `UPDATE sessions SET flow_token_hash = ?, resume_key_hash = ?, device = ?, opened_at = ?, proven_phone = NULL
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'
       AND (flow_token_hash IS NULL OR (${NOBODY_ACTED}))`,
    claim.flowTokenHash,
    claim.resumeKeyHash,
    claim.device,
    claim.at,
    scope.companyId,
    scope.partition,
    id,
  );
  if (bound > 0) await deleteHandoffsOf(tx, id);
  return bound;
}

/** Moves a session to another device of the person; the link alone proves who they are. */
export function rebindSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  claim: { flowTokenHash: Uint8Array; device: Device; at: number },
): Promise<number> {
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET flow_token_hash = ?, device = ?, opened_at = ?
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'`,
    claim.flowTokenHash,
    claim.device,
    claim.at,
    scope.companyId,
    scope.partition,
    id,
  );
}

/** Unbinds the device that holds it, with the phone codes that it requested and the offers that it made; 0 if that is not allowed. */
export async function unbindSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  flowTokenHash: Uint8Array,
): Promise<number> {
  const unbound = await changeSession(
    tx,
    id,
    `UPDATE sessions SET flow_token_hash = NULL, resume_key_hash = NULL, device = NULL, consent_at = NULL,
       consent_version = NULL, consent_language = NULL, photo_until = NULL, retention_days = NULL, proven_phone = NULL,
       findings = '[]', checking_nonce = NULL, checking_until = NULL
     WHERE company_id = ? AND partition = ? AND id = ? AND flow_token_hash = ? AND state = 'open'
       AND direct_token_used_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM handoffs WHERE session_id = sessions.id AND opened_at IS NOT NULL)`,
    scope.companyId,
    scope.partition,
    id,
    flowTokenHash,
  );
  if (unbound === 0) return 0;
  await deleteHandoffsOf(tx, id);
  await eraseCodes(tx, scope, id);
  return unbound;
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

/** A code has verified the number. */
export function recordProvenPhone(tx: SqlTx, scope: Scope, id: string, number: string): Promise<number> {
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET proven_phone = ? WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'`,
    number,
    scope.companyId,
    scope.partition,
    id,
  );
}

/** The run continues on another device, whose person has just proved it: the first act, if there was none before. */
export function recordDevice(
  tx: SqlTx,
  scope: Scope,
  id: string,
  { device, at }: { device: Device; at: number },
): Promise<number> {
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET device = ?, ${SPEND_DIRECT_TOKEN} WHERE company_id = ? AND partition = ? AND id = ?`,
    device,
    at,
    scope.companyId,
    scope.partition,
    id,
  );
}

export function recordConsent(
  tx: SqlTx,
  scope: Scope,
  id: string,
  consent: {
    at: number;
    version: string;
    language: string;
    photoUntil?: number | null;
    retentionDays?: number | null;
  },
): Promise<number> {
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET consent_at = ?, consent_version = ?, consent_language = ?, photo_until = ?,
       retention_days = ?, ${SPEND_DIRECT_TOKEN}
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'`,
    consent.at,
    consent.version,
    consent.language,
    consent.photoUntil ?? null,
    consent.retentionDays ?? null,
    consent.at,
    scope.companyId,
    scope.partition,
    id,
  );
}

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
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET checking_nonce = ?, checking_until = ?
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'
       AND (checking_until IS NULL OR checking_until <= ?)`,
    lease.nonceHash,
    lease.until,
    scope.companyId,
    scope.partition,
    id,
    lease.at,
  );
}

/** Ends a capture's lease without an outcome; 0 if another capture has taken it. */
export function releaseCheck(tx: SqlTx, scope: Scope, id: string, nonceHash: Uint8Array): Promise<number> {
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET checking_nonce = NULL, checking_until = NULL
     WHERE company_id = ? AND partition = ? AND id = ? AND checking_nonce = ?`,
    scope.companyId,
    scope.partition,
    id,
    nonceHash,
  );
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
  findings: PersonFinding[],
): Promise<number> {
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET attempts_left = attempts_left - 1, findings = ?, checking_nonce = NULL, checking_until = NULL,
       step_order = NULL, slow_captures = 0
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open' AND attempts_left > 0`,
    toJson(findings),
    scope.companyId,
    scope.partition,
    id,
  );
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
    scope.companyId,
    scope.partition,
    id,
  );
}

/** A reviewer has decided: the waiting session is settled. */
export function endReview(tx: SqlTx, scope: Scope, id: string): Promise<number> {
  return changeSession(
    tx,
    id,
    `UPDATE sessions SET state = 'settled' WHERE company_id = ? AND partition = ? AND id = ? AND state = 'in_review'`,
    scope.companyId,
    scope.partition,
    id,
  );
}

/** Whether the run that the pass would belong to waits for a reviewer. */
export async function awaitsReviewer(
  db: SqlReader,
  { companyId, partition }: Scope,
  passId: string,
): Promise<boolean> {
  const found = await db.one(
    "SELECT 1 AS found FROM sessions WHERE company_id = ? AND partition = ? AND pass_id = ? AND state = 'in_review'",
    companyId,
    partition,
    passId,
  );
  return found !== undefined;
}

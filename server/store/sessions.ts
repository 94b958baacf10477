import type { Device, PersonFinding, SessionState } from '../contract/flow.ts';
import type { Identity } from '../domain/identity.ts';
import type { Partition, Scope } from '../domain/scope.ts';
import type { SqlReader, SqlTx } from './port.ts';
import { fromOptionalFlag, fromOptionalJson, optionalFlag, optionalJson, toJson } from './rows.ts';

export type Metadata = Record<string, string | number | boolean>;

/** `checking` is a matter of the moment and of this process; a crash must not leave a session in it. */
export type StoredSessionState = Exclude<SessionState, 'checking'>;

/** What initialize asked for; never changes afterwards. */
export type SessionRequest = {
  origin: string | null;
  returnPath: string | null;
  startPath: string | null;
  redirectUrl: string | null;
  passParams: Record<string, string> | null;
  autoReturn: boolean | null;
  /** Replaces the verification's config for this run (test keys). */
  config: Record<string, unknown> | null;
  externalId: string | null;
  group: string | null;
  includeGroups: string[];
  identity: Identity | null;
  metadata: Metadata | null;
};

export type Session = {
  id: string;
  scope: Scope;
  verificationId: string;
  keyId: string | null;
  inviteId: string | null;
  state: StoredSessionState;
  request: SessionRequest;
  attemptsLeft: number;
  findings: PersonFinding[];
  flowTokenHash: Uint8Array | null;
  resumeKeyHash: Uint8Array | null;
  /** E.164, once a code has proven it. */
  provenPhone: string | null;
  device: Device | null;
  consentAt: number | null;
  /** The pass this session came to, its own or (skip window) an earlier one. */
  passId: string | null;
  settledAt: number | null;
  createdAt: number;
  expiresAt: number;
};

type Row = {
  id: string;
  companyId: string;
  partition: Partition;
  verificationId: string;
  keyId: string | null;
  inviteId: string | null;
  state: StoredSessionState;
  origin: string | null;
  returnPath: string | null;
  startPath: string | null;
  redirectUrl: string | null;
  passParams: string | null;
  autoReturn: number | null;
  config: string | null;
  externalId: string | null;
  groupId: string | null;
  includeGroups: string | null;
  identityProvider: Identity['provider'] | null;
  identityIdentifier: string | null;
  metadata: string | null;
  attemptsLeft: number;
  findings: string;
  flowTokenHash: Uint8Array | null;
  resumeKeyHash: Uint8Array | null;
  /** E.164, once a code has proven it. */
  provenPhone: string | null;
  device: Device | null;
  consentAt: number | null;
  passId: string | null;
  settledAt: number | null;
  createdAt: number;
  expiresAt: number;
};

const COLUMNS = `id, company_id AS companyId, partition, verification_id AS verificationId, key_id AS keyId, invite_id AS inviteId, state, origin,
  return_path AS returnPath, start_path AS startPath, redirect_url AS redirectUrl, pass_params AS passParams,
  auto_return AS autoReturn, config, external_id AS externalId, group_id AS groupId, include_groups AS includeGroups,
  identity_provider AS identityProvider, identity_identifier AS identityIdentifier, metadata,
  attempts_left AS attemptsLeft, findings, flow_token_hash AS flowTokenHash, resume_key_hash AS resumeKeyHash,
  proven_phone AS provenPhone, device, consent_at AS consentAt,
  pass_id AS passId, settled_at AS settledAt, created_at AS createdAt, expires_at AS expiresAt`;

function fromRow(row: Row): Session {
  return {
    id: row.id,
    scope: { companyId: row.companyId, partition: row.partition },
    verificationId: row.verificationId,
    keyId: row.keyId,
    inviteId: row.inviteId,
    state: row.state,
    request: {
      origin: row.origin,
      returnPath: row.returnPath,
      startPath: row.startPath,
      redirectUrl: row.redirectUrl,
      passParams: fromOptionalJson<Record<string, string>>(row.passParams),
      autoReturn: fromOptionalFlag(row.autoReturn),
      config: fromOptionalJson<Record<string, unknown>>(row.config),
      externalId: row.externalId,
      group: row.groupId,
      includeGroups: fromOptionalJson<string[]>(row.includeGroups) ?? [],
      identity:
        row.identityProvider && row.identityIdentifier
          ? { provider: row.identityProvider, identifier: row.identityIdentifier }
          : null,
      metadata: fromOptionalJson<Metadata>(row.metadata),
    },
    attemptsLeft: row.attemptsLeft,
    findings: JSON.parse(row.findings) as PersonFinding[],
    flowTokenHash: row.flowTokenHash,
    resumeKeyHash: row.resumeKeyHash,
    provenPhone: row.provenPhone,
    device: row.device,
    consentAt: row.consentAt,
    passId: row.passId,
    settledAt: row.settledAt,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  };
}

export async function insertSession(tx: SqlTx, session: Session): Promise<void> {
  const { scope, request } = session;
  await tx.run(
    `INSERT INTO sessions (id, company_id, partition, verification_id, key_id, invite_id, state, origin, return_path, start_path,
       redirect_url, pass_params, auto_return, config, external_id, group_id, include_groups, identity_provider,
       identity_identifier, metadata, attempts_left, findings, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    request.redirectUrl,
    optionalJson(request.passParams),
    optionalFlag(request.autoReturn),
    optionalJson(request.config),
    request.externalId,
    request.group,
    request.includeGroups.length > 0 ? toJson(request.includeGroups) : null,
    request.identity?.provider ?? null,
    request.identity?.identifier ?? null,
    optionalJson(request.metadata),
    session.attemptsLeft,
    toJson(session.findings),
    session.createdAt,
    session.expiresAt,
  );
}

/** By the id that the link carries: it is the grant itself, and names its own scope. */
export async function findSession(db: SqlReader, id: string): Promise<Session | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`, id);
  return row && fromRow(row);
}

/** Binds the session to the first device that opens it; 0 when another was faster. */
export function claimSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  claim: { flowTokenHash: Uint8Array; resumeKeyHash: Uint8Array | null; device: Device; at: number },
): Promise<number> {
  return tx.run(
    `UPDATE sessions SET flow_token_hash = ?, resume_key_hash = ?, device = ?, opened_at = ?
     WHERE company_id = ? AND partition = ? AND id = ? AND flow_token_hash IS NULL`,
    claim.flowTokenHash,
    claim.resumeKeyHash,
    claim.device,
    claim.at,
    scope.companyId,
    scope.partition,
    id,
  );
}

/** Moves a session to another device of the person, whose link is a proof by itself. */
export function rebindSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  claim: { flowTokenHash: Uint8Array; device: Device; at: number },
): Promise<number> {
  return tx.run(
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

/** The session that a device holds the token of, on one verification. */
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
  return row && fromRow(row);
}

/** Ends an open session without a verdict. */
export function cancelSession(tx: SqlTx, scope: Scope, id: string, at: number): Promise<number> {
  return endSession(tx, scope, id, { state: 'cancelled', passId: null, at });
}

/** A code has proven the number. */
export function recordProvenPhone(tx: SqlTx, scope: Scope, id: string, number: string): Promise<number> {
  return tx.run(
    `UPDATE sessions SET proven_phone = ? WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'`,
    number,
    scope.companyId,
    scope.partition,
    id,
  );
}

/** The run goes on elsewhere. */
export function recordDevice(tx: SqlTx, scope: Scope, id: string, device: Device): Promise<number> {
  return tx.run(
    'UPDATE sessions SET device = ? WHERE company_id = ? AND partition = ? AND id = ?',
    device,
    scope.companyId,
    scope.partition,
    id,
  );
}

export function recordConsent(
  tx: SqlTx,
  scope: Scope,
  id: string,
  consent: { at: number; version: string; language: string },
): Promise<number> {
  return tx.run(
    `UPDATE sessions SET consent_at = ?, consent_version = ?, consent_language = ?
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'`,
    consent.at,
    consent.version,
    consent.language,
    scope.companyId,
    scope.partition,
    id,
  );
}

/** Takes one attempt away and keeps what the person may be told about it. */
export function recordFailedAttempt(
  tx: SqlTx,
  scope: Scope,
  id: string,
  findings: PersonFinding[],
): Promise<number> {
  return tx.run(
    `UPDATE sessions SET attempts_left = attempts_left - 1, findings = ?
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open' AND attempts_left > 0`,
    toJson(findings),
    scope.companyId,
    scope.partition,
    id,
  );
}

/** Ends an open session; 0 when it was not open any more. */
export function endSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  end: { state: Exclude<StoredSessionState, 'open'>; passId: string | null; at: number },
): Promise<number> {
  return tx.run(
    `UPDATE sessions SET state = ?, pass_id = ?, settled_at = ?, findings = '[]'
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'`,
    end.state,
    end.passId,
    end.at,
    scope.companyId,
    scope.partition,
    id,
  );
}

/** A reviewer has decided: the session that waited is settled. */
export function endReview(tx: SqlTx, scope: Scope, id: string): Promise<number> {
  return tx.run(
    `UPDATE sessions SET state = 'settled' WHERE company_id = ? AND partition = ? AND id = ? AND state = 'in_review'`,
    scope.companyId,
    scope.partition,
    id,
  );
}

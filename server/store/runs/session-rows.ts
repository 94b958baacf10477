/** The type of a session, and its conversion from a row. */
import { includesPhoto } from '../../contract/consent-texts.ts';
import type { Device, PersonFinding } from '../../contract/flow.ts';
import type { Generation } from '../../contract/operations.ts';
import type { Identity } from '../../domain/identity.ts';
import type { Metadata, SessionRequest, StoredSessionState } from '../../domain/runs/session-request.ts';
import type { Partition, Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx, SqlValue } from '../sql/port.ts';
import { fromOptionalFlag, fromOptionalJson, ofScope } from '../rows.ts';

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
  /** E.164, once verified by a code. */
  provenPhone: string | null;
  device: Device | null;
  consentAt: number | null;
  /** Until when the person agreed that one photo is kept; null without that consent. */
  photoUntil: number | null;
  /** The days without a visit for which the person agreed that their face is kept; null if the text did not say. */
  retentionDays: number | null;
  /** The pass of this session, its own or (skip window) an earlier one. */
  passId: string | null;
  settledAt: number | null;
  createdAt: number;
  expiresAt: number;
  /** When it was created, if it was created without a secret key and nobody has opened it yet; otherwise null. */
  unopenedSince: number | null;
  generation: Generation;
  /** v1, v2: the person of the run, by the integration's own ID. */
  connectUserId: string | null;
  /** v2: the number that the link is locked to, E.164 or from a test range. */
  lockedPhone: string | null;
  /** v2: for the direct link's `t`, which can be used once. */
  directTokenHash: Uint8Array | null;
  directTokenUsedAt: number | null;
  /** v2: for the `vy_token` that the person returns with, and when it was issued. */
  statusTokenHash: Uint8Array | null;
  statusTokenAt: number | null;
  /** The lease of the capture being judged: its nonce, hashed, and when the lease expires. */
  checkingNonce: Uint8Array | null;
  checkingUntil: number | null;
};

/** Fields with the same form in the row and the session. */
type Alike = Omit<Session, 'scope' | 'request' | 'findings'>;

/** As stored in the database. */
export type Row = Alike & {
  companyId: string;
  partition: Partition;
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
  identityGiven: string | null;
  metadata: string | null;
  findings: string;
  consentVersion: string | null;
};

export const COLUMNS = `id, company_id AS companyId, partition, verification_id AS verificationId, key_id AS keyId, invite_id AS inviteId, state, origin,
  return_path AS returnPath, start_path AS startPath, redirect_url AS redirectUrl, pass_params AS passParams,
  auto_return AS autoReturn, config, external_id AS externalId, group_id AS groupId, include_groups AS includeGroups,
  identity_provider AS identityProvider, identity_identifier AS identityIdentifier, identity_given AS identityGiven, metadata,
  attempts_left AS attemptsLeft, findings, flow_token_hash AS flowTokenHash, resume_key_hash AS resumeKeyHash,
  proven_phone AS provenPhone, device, consent_at AS consentAt, consent_version AS consentVersion, photo_until AS photoUntil,
  retention_days AS retentionDays,
  pass_id AS passId, settled_at AS settledAt, created_at AS createdAt, expires_at AS expiresAt, unopened_since AS unopenedSince,
  generation, connect_user_id AS connectUserId, locked_phone AS lockedPhone, direct_token_hash AS directTokenHash,
  direct_token_used_at AS directTokenUsedAt, status_token_hash AS statusTokenHash, status_token_at AS statusTokenAt,
  checking_nonce AS checkingNonce, checking_until AS checkingUntil`;

const given = (text: string | null) => (text === null ? {} : { given: text });

export function fromRow({ secrets }: SqlReader, row: Row): Session {
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
      redirectUrl: secrets.open('sessions.redirect_url', [row.id], row.redirectUrl),
      passParams: fromOptionalJson<Record<string, string>>(
        secrets.open('sessions.pass_params', [row.id], row.passParams),
      ),
      autoReturn: fromOptionalFlag(row.autoReturn),
      config: fromOptionalJson<Record<string, unknown>>(row.config),
      externalId: row.externalId,
      group: row.groupId,
      includeGroups: fromOptionalJson<string[]>(row.includeGroups) ?? [],
      identity:
        row.identityProvider && row.identityIdentifier
          ? {
              provider: row.identityProvider,
              identifier: row.identityIdentifier,
              ...given(secrets.open('sessions.identity_given', [row.id], row.identityGiven)),
            }
          : null,
      metadata: fromOptionalJson<Metadata>(secrets.open('sessions.metadata', [row.id], row.metadata)),
    },
    attemptsLeft: row.attemptsLeft,
    findings: JSON.parse(row.findings) as PersonFinding[],
    flowTokenHash: row.flowTokenHash,
    resumeKeyHash: row.resumeKeyHash,
    provenPhone: row.provenPhone,
    device: row.device,
    consentAt: row.consentAt,
    // During a rolling upgrade, a node of the version before records the next person's consent and leaves this time.
    photoUntil: includesPhoto(row.consentVersion ?? '') ? row.photoUntil : null,
    retentionDays: row.retentionDays,
    passId: row.passId,
    settledAt: row.settledAt,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    unopenedSince: row.unopenedSince,
    generation: row.generation,
    connectUserId: row.connectUserId,
    lockedPhone: row.lockedPhone,
    directTokenHash: row.directTokenHash,
    directTokenUsedAt: row.directTokenUsedAt,
    statusTokenHash: row.statusTokenHash,
    statusTokenAt: row.statusTokenAt,
    checkingNonce: row.checkingNonce,
    checkingUntil: row.checkingUntil,
  };
}

/** To the session's own pages, and to the console of its company. */
export function announceSession(tx: Pick<SqlTx, 'afterCommit'>, id: string, companyId: string): void {
  tx.afterCommit('session', id);
  tx.afterCommit('session', companyId);
}

/** What a statement about a row of a session returns for `announceSession`. */
export const OWNER_OF_SESSION =
  '(SELECT company_id FROM sessions WHERE sessions.id = session_id) AS companyId';

/** Changes one session if `where` holds too, which binds `bound`, and announces it then. Returns the rows changed. */
export async function changeSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  {
    set,
    values = [],
    where,
    bound = [],
  }: { set: string; values?: SqlValue[]; where?: string; bound?: SqlValue[] },
): Promise<number> {
  const changed = await tx.one<{ companyId: string }>(
    `UPDATE sessions SET ${set} WHERE company_id = ? AND partition = ? AND id = ?
     ${where === undefined ? '' : `AND ${where}`} RETURNING company_id AS companyId`,
    ...values,
    ...ofScope(scope),
    id,
    ...bound,
  );
  if (!changed) return 0;
  announceSession(tx, id, changed.companyId);
  return 1;
}

import type { Generation } from '../../contract/operations.ts';
import type { Identity } from '../../domain/identity.ts';
import type { Reason } from '../../domain/settling/reasons.ts';
import type { Partition, Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { flag, fromJson, inScope, insertRow, ofScope, toJson } from '../rows.ts';

/** A settled run. Created as settled, never pending (contract, "States and transitions"). */
export type Pass = {
  id: string;
  sessionId: string | null;
  verificationId: string;
  personId: string | null;
  status: 'approved' | 'denied';
  reasons: Reason[];
  groups: string[];
  group: string | null;
  declined: boolean;
  externalId: string | null;
  /** The credential of the run. */
  identity: Identity | null;
  score: number | null;
  settledAt: number;
  lockedAt: number | null;
  /** When the person disconnected. */
  revokedAt: number | null;
  generation: Generation;
};

type Row = Omit<Pass, 'reasons' | 'groups' | 'declined' | 'identity'> & {
  reasons: string;
  groups: string;
  declined: number;
  identityProvider: Identity['provider'] | null;
  identityIdentifier: string | null;
};

const COLUMNS = `id, session_id AS sessionId, verification_id AS verificationId, person_id AS personId, status, reasons, groups,
  group_id AS "group", declined, external_id AS externalId, identity_provider AS identityProvider,
  identity_identifier AS identityIdentifier, score, settled_at AS settledAt, locked_at AS lockedAt,
  revoked_at AS revokedAt, generation`;

function fromRow({ identityProvider, identityIdentifier, ...row }: Row): Pass {
  return {
    ...row,
    reasons: fromJson<Reason[]>(row.reasons),
    groups: fromJson<string[]>(row.groups),
    declined: row.declined === 1,
    identity:
      identityProvider && identityIdentifier
        ? { provider: identityProvider, identifier: identityIdentifier }
        : null,
  };
}

export async function insertPass(tx: SqlTx, scope: Scope, pass: Pass): Promise<void> {
  await insertRow(tx, 'passes', {
    id: pass.id,
    session_id: pass.sessionId,
    ...inScope(scope),
    verification_id: pass.verificationId,
    person_id: pass.personId,
    status: pass.status,
    reasons: toJson(pass.reasons),
    groups: toJson(pass.groups),
    group_id: pass.group,
    declined: flag(pass.declined),
    external_id: pass.externalId,
    identity_provider: pass.identity?.provider ?? null,
    identity_identifier: pass.identity?.identifier ?? null,
    score: pass.score,
    settled_at: pass.settledAt,
    generation: pass.generation,
  });
}

/** A pass with the verification's part of its confirmation, in one read: the hot path of every integrator. */
export type ConfirmedPass = Pass & {
  verificationExternalId: string | null;
  verificationTenantId: string | null;
  /** The config that the run was judged by. */
  config: Record<string, unknown>;
};

type ConfirmedRow = Row & {
  verificationExternalId: string | null;
  verificationTenantId: string | null;
  config: string;
};

/** Only a test run can have a config of its own, so it is looked up only there. */
const CONFIG_OF: Record<Partition, string> = {
  live: 'v.config',
  test: 'COALESCE((SELECT s.config FROM sessions s WHERE s.id = p.sessionId), v.config)',
};

const confirmedIn = (partition: Partition, where: string): string => `SELECT p.*,
    v.external_id AS "verificationExternalId", v.external_tenant_id AS "verificationTenantId",
    ${CONFIG_OF[partition]} AS config
  FROM (SELECT ${COLUMNS} FROM passes WHERE company_id = ? AND partition = ? AND ${where}) p
  JOIN verifications v ON v.id = p.verificationId`;

const confirmedWhere = (where: string): Record<Partition, string> => ({
  live: confirmedIn('live', where),
  test: confirmedIn('test', where),
});

const CONFIRMED_BY_ID = confirmedWhere('id = ?');

/**
 * Contract, "Rules for the confirmation endpoints" 5: the latest, whatever its outcome. A run can carry two credentials,
 * and end with an earlier pass, so its session is searched, too.
 */
const CONFIRMED_BY_IDENTITY = confirmedWhere(`id = (
    SELECT p.id FROM (
      SELECT id FROM passes
        WHERE company_id = ? AND partition = ? AND identity_provider = ? AND identity_identifier = ?
      UNION SELECT pass_id FROM sessions
        WHERE company_id = ? AND partition = ? AND identity_identifier = ? AND identity_provider = ?
      UNION SELECT pass_id FROM sessions WHERE company_id = ? AND partition = ? AND proven_phone = ?
    ) AS carried CROSS JOIN passes p
    WHERE p.id = carried.id AND p.company_id = ? AND p.partition = ?
      AND (CAST(? AS TEXT) IS NULL OR p.verification_id = ?) AND (CAST(? AS TEXT) IS NULL OR p.group_id = ?)
    ORDER BY p.settled_at DESC, p.id DESC LIMIT 1)`);

export async function findConfirmedPass(
  db: SqlReader,
  scope: Scope,
  id: string,
): Promise<ConfirmedPass | undefined> {
  return confirmedFrom(await db.one<ConfirmedRow>(CONFIRMED_BY_ID[scope.partition], ...ofScope(scope), id));
}

/** The latest settled pass of a run with the credential. */
export async function findLatestPassOfIdentity(
  db: SqlReader,
  scope: Scope,
  { provider, identifier }: Identity,
  narrow: { verificationId: string | null; group: string | null },
): Promise<ConfirmedPass | undefined> {
  const own = ofScope(scope);
  const row = await db.one<ConfirmedRow>(
    CONFIRMED_BY_IDENTITY[scope.partition],
    ...own,
    ...own,
    provider,
    identifier,
    ...own,
    identifier,
    provider,
    ...own,
    provider === 'phone' ? identifier : null,
    ...own,
    narrow.verificationId,
    narrow.verificationId,
    narrow.group,
    narrow.group,
  );
  return confirmedFrom(row);
}

function confirmedFrom(row: ConfirmedRow | undefined): ConfirmedPass | undefined {
  if (!row) return undefined;
  const { verificationExternalId, verificationTenantId, config, ...rest } = row;
  return {
    ...fromRow(rest),
    verificationExternalId,
    verificationTenantId,
    config: fromJson<Record<string, unknown>>(config),
  };
}

export async function findPass(db: SqlReader, scope: Scope, id: string): Promise<Pass | undefined> {
  const row = await db.one<Row>(
    `SELECT ${COLUMNS} FROM passes WHERE company_id = ? AND partition = ? AND id = ?`,
    ...ofScope(scope),
    id,
  );
  return row && fromRow(row);
}

/** All of a person's passes, oldest first: the history that settling reads. */
export async function listPassesOf(db: SqlReader, scope: Scope, personId: string): Promise<Pass[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM passes WHERE company_id = ? AND partition = ? AND person_id = ? ORDER BY settled_at, id`,
    ...ofScope(scope),
    personId,
  );
  return rows.map(fromRow);
}

/** Counts how often a pass was read with its token. The caller buffers, hence the number. */
export function recordReads(
  tx: Pick<SqlTx, 'run'>,
  scope: Scope,
  id: string,
  reads: number,
  at: number,
): Promise<number> {
  return tx.run(
    `UPDATE passes SET read_count = read_count + ?, last_read_at = ?
     WHERE company_id = ? AND partition = ? AND id = ?`,
    reads,
    at,
    ...ofScope(scope),
    id,
  );
}

/** Marks one pass as consumed; 0 if it already was. */
export function lockPass(tx: SqlTx, scope: Scope, id: string, at: number): Promise<number> {
  return tx.run(
    'UPDATE passes SET locked_at = ? WHERE company_id = ? AND partition = ? AND id = ? AND locked_at IS NULL',
    at,
    ...ofScope(scope),
    id,
  );
}

/** Marks all of a person's passes on a verification consumed. */
export function lockPassesOf(
  tx: SqlTx,
  scope: Scope,
  of: { personId: string; verificationId: string },
  at: number,
): Promise<number> {
  return tx.run(
    `UPDATE passes SET locked_at = ?
     WHERE company_id = ? AND partition = ? AND person_id = ? AND verification_id = ? AND locked_at IS NULL`,
    at,
    ...ofScope(scope),
    of.personId,
    of.verificationId,
  );
}

/** The person has disconnected from the company: their approvals are withdrawn, their denials stay. */
export function revokePassesOf(tx: SqlTx, scope: Scope, personId: string, at: number): Promise<number> {
  return tx.run(
    `UPDATE passes SET revoked_at = ?
     WHERE company_id = ? AND partition = ? AND person_id = ? AND status = 'approved' AND revoked_at IS NULL`,
    at,
    ...ofScope(scope),
    personId,
  );
}

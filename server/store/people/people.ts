import type { BlockAction } from '../../contract/console/blocks.ts';
import type { Identity } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import { type SqlReader, type SqlTx, UniqueViolation } from '../sql/port.ts';
import { indexPerson } from './metadata-index.ts';
import { fromJson, inScope, insertRow, insertUnlessThere, ofScope, toJson } from '../rows.ts';
import type { Metadata } from '../../domain/runs/session-request.ts';

/** A person of the scope, with their accounts and verified credentials. */
export type Person = {
  id: string;
  metadata: Metadata;
  externalIds: string[];
  identities: Identity[];
  createdAt: number;
  lastSeenAt: number;
  /** Also one that has expired. */
  block?: { action: BlockAction; expiresAt: number };
};

export async function insertPerson(tx: SqlTx, scope: Scope, id: string, at: number): Promise<void> {
  await insertRow(tx, 'people', {
    id,
    ...inScope(scope),
    metadata: tx.secrets.seal('people.metadata', [id], '{}'),
    created_at: at,
    last_seen_at: at,
  });
}

export async function findPerson(db: SqlReader, scope: Scope, id: string): Promise<Person | undefined> {
  const found = await db.one<{
    id: string;
    metadata: string;
    createdAt: number;
    lastSeenAt: number;
    action: BlockAction | null;
    expiresAt: number | null;
  }>(
    `SELECT p.id, p.metadata, p.created_at AS createdAt, p.last_seen_at AS lastSeenAt, b.action, b.expires_at AS expiresAt
     FROM people p LEFT JOIN person_blocks b ON b.person_id = p.id AND b.ended_at IS NULL
     WHERE p.company_id = ? AND p.partition = ? AND p.id = ?`,
    ...ofScope(scope),
    id,
  );
  if (!found) return undefined;
  const { action, expiresAt, ...row } = found;
  const externalIds = await db.all<{ externalId: string }>(
    `SELECT external_id AS externalId FROM person_external_ids WHERE person_id = ? ORDER BY bound_at, external_id`,
    id,
  );
  const identities = await db.all<Identity & { given: string | null }>(
    'SELECT provider, identifier, given FROM person_identities WHERE person_id = ? ORDER BY proven_at, identifier',
    id,
  );
  return {
    ...row,
    ...(action !== null && expiresAt !== null && { block: { action, expiresAt } }),
    metadata: fromJson<Metadata>(db.secrets.open('people.metadata', [id], row.metadata)),
    externalIds: externalIds.map((e) => e.externalId),
    identities: identities.map(({ provider, identifier, given: stored }) => {
      const given = openGiven(db, scope, { provider, identifier }, stored);
      // The driver's rows have no prototype; copied so that they compare as plain data.
      return { provider, identifier, ...(given !== null && { given }) };
    }),
  };
}

/** What was sent for a credential; null if it is the same. */
export const openGiven = (
  { secrets }: Pick<SqlReader, 'secrets'>,
  scope: Scope,
  { provider, identifier }: Identity,
  stored: string | null,
): string | null =>
  secrets.open('person_identities.given', [...ofScope(scope), provider, identifier], stored);

/** The person of the scope who has verified this credential. */
export async function findIdentityOwner(
  db: SqlReader,
  scope: Scope,
  identity: Identity,
): Promise<string | undefined> {
  const row = await db.one<{ personId: string }>(
    `SELECT person_id AS personId FROM person_identities
     WHERE company_id = ? AND partition = ? AND provider = ? AND identifier = ?`,
    ...ofScope(scope),
    identity.provider,
    identity.identifier,
  );
  return row?.personId;
}

/** The owner of the customer's ID, and the verification that bound it. A person whom a control case shows owns none. */
export function findExternalIdOwner(
  db: SqlReader,
  scope: Scope,
  externalId: string,
): Promise<{ personId: string; verificationId: string } | undefined> {
  return db.one<{ personId: string; verificationId: string }>(
    `SELECT person_id AS personId, verification_id AS verificationId FROM person_external_ids
     WHERE company_id = ? AND partition = ? AND external_id = ?
       AND person_id NOT IN (SELECT person_id FROM review_controls)`,
    ...ofScope(scope),
    externalId,
  );
}

/** Repeating a binding for the same person changes nothing. An ID that a control case made up goes to the guest who brings it. */
export async function bindExternalId(
  tx: SqlTx,
  scope: Scope,
  binding: { personId: string; externalId: string; verificationId: string; at: number },
): Promise<void> {
  const owner = await findExternalIdOwner(tx, scope, binding.externalId);
  if (owner?.personId === binding.personId) return;
  const bound = await tx.run(
    `INSERT INTO person_external_ids (company_id, partition, external_id, person_id, verification_id, bound_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (company_id, partition, external_id) DO UPDATE SET person_id = excluded.person_id,
       verification_id = excluded.verification_id, bound_at = excluded.bound_at
     WHERE person_external_ids.person_id IN (SELECT person_id FROM review_controls)`,
    ...ofScope(scope),
    binding.externalId,
    binding.personId,
    binding.verificationId,
    binding.at,
  );
  if (bound === 0) throw new UniqueViolation('person_external_ids_pkey');
}

/** Like `bindExternalId`, for a credential. */
export async function bindIdentity(
  tx: SqlTx,
  scope: Scope,
  personId: string,
  identity: Identity,
  at: number,
): Promise<void> {
  if ((await findIdentityOwner(tx, scope, identity)) === personId) return;
  const name = [...ofScope(scope), identity.provider, identity.identifier] as const;
  await insertRow(tx, 'person_identities', {
    ...inScope(scope),
    provider: identity.provider,
    identifier: identity.identifier,
    person_id: personId,
    proven_at: at,
    given: tx.secrets.seal('person_identities.given', name, identity.given ?? null),
  });
}

/** A visit: newer fields replace older ones of the same name, and the others stay. */
export async function touchPerson(
  tx: SqlTx,
  scope: Scope,
  id: string,
  {
    metadata,
    retentionDays,
    agreedAt,
    at,
  }: {
    metadata: Metadata | null;
    /** The days without a visit for which the person agreed that their face is kept; null leaves those of an earlier visit. */
    retentionDays: number | null;
    /** A check may end after a later visit; then it can only shorten that visit's days. */
    agreedAt: number;
    at: number;
  },
): Promise<void> {
  const seen = `last_seen_at = CASE WHEN last_seen_at < ? THEN ? ELSE last_seen_at END,
       retention_days = CASE WHEN last_seen_at > ? AND retention_days < ? THEN retention_days
         ELSE COALESCE(?, retention_days) END
     WHERE company_id = ? AND partition = ? AND id = ?`;
  const values = [at, at, agreedAt, retentionDays, retentionDays, ...ofScope(scope), id];
  if (!metadata || Object.keys(metadata).length === 0) {
    await tx.run(`UPDATE people SET ${seen}`, ...values);
    return;
  }
  const person = await findPerson(tx, scope, id);
  const all = { ...person?.metadata, ...metadata };
  const sealed = tx.secrets.seal('people.metadata', [id], toJson(all));
  await tx.run(`UPDATE people SET metadata = ?, ${seen}`, sealed, ...values);
  if (person) await indexPerson(tx, scope, id, all);
}

/** Who became known since a time. */
export async function listIdsKnownSince(db: SqlReader, scope: Scope, sinceMs: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    'SELECT id FROM people WHERE company_id = ? AND partition = ? AND created_at >= ?',
    ...ofScope(scope),
    sinceMs,
  );
  return rows.map(({ id }) => id);
}

export async function findTestFace(db: SqlReader, scope: Scope, name: string): Promise<string | undefined> {
  const row = await db.one<{ personId: string }>(
    'SELECT person_id AS personId FROM test_faces WHERE company_id = ? AND partition = ? AND name = ?',
    ...ofScope(scope),
    name,
  );
  return row?.personId;
}

export async function insertTestFace(tx: SqlTx, scope: Scope, name: string, personId: string): Promise<void> {
  await insertUnlessThere(tx, 'test_faces', { ...inScope(scope), name, person_id: personId });
}

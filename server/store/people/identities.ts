/** Credentials from before they were canonical, in every table that has one. */
import type { Identity } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { findIdentityOwner } from './people.ts';

/** An address with other characters than ASCII; all others are canonical already. */
export type StoredEmail = Scope & { identifier: string };

const PLACES = {
  person_identities: { provider: 'provider', identifier: 'identifier' },
  passes: { provider: 'identity_provider', identifier: 'identity_identifier' },
  sessions: { provider: 'identity_provider', identifier: 'identity_identifier' },
  invites: {
    provider: `json_extract(request, '$.identity.provider')`,
    identifier: `json_extract(request, '$.identity.identifier')`,
  },
} as const;
export type IdentityPlace = keyof typeof PLACES;
export const IDENTITY_PLACES = Object.keys(PLACES) as IdentityPlace[];

/** Each once, in the order of its three parts, after `after`. */
export function listOtherEmails(
  db: SqlReader,
  place: IdentityPlace,
  after: StoredEmail | null,
  limit: number,
): Promise<StoredEmail[]> {
  const { provider, identifier } = PLACES[place];
  return db.all<StoredEmail>(
    `SELECT DISTINCT company_id AS companyId, partition, ${identifier} AS identifier FROM ${place}
     WHERE ${identifier} IS NOT NULL AND ${provider} = 'email' AND octet_length(${identifier}) <> length(${identifier})
       ${after === null ? '' : `AND (company_id, partition, ${identifier}) > (?, ?, ?)`}
     ORDER BY 1, 2, 3 LIMIT ?`,
    ...(after === null ? [] : [...ofScope(after), after.identifier]),
    limit,
  );
}

/** Rewrites one address of a scope everywhere. A person's own stays if somebody else has the canonical one. */
export async function rewriteEmail(
  tx: SqlTx,
  { identifier, ...scope }: StoredEmail,
  to: Identity,
): Promise<void> {
  const own = [...ofScope(scope), identifier] as const;
  await rewriteOwn(tx, scope, identifier, to);
  await tx.run(
    `UPDATE passes SET identity_identifier = ?
     WHERE company_id = ? AND partition = ? AND identity_identifier = ? AND identity_provider = 'email'`,
    to.identifier,
    ...own,
  );
  const sessions = await tx.all<{ id: string }>(
    `SELECT id FROM sessions
     WHERE company_id = ? AND partition = ? AND identity_identifier = ? AND identity_provider = 'email'`,
    ...own,
  );
  for (const { id } of sessions) {
    await tx.run(
      'UPDATE sessions SET identity_identifier = ?, identity_given = ? WHERE id = ?',
      to.identifier,
      tx.secrets.seal('sessions.identity_given', [id], to.given ?? null),
      id,
    );
  }
  const invites = await tx.all<{ id: string; request: string }>(
    `SELECT id, request FROM invites
     WHERE company_id = ? AND partition = ? AND json_extract(request, '$.identity.identifier') = ?`,
    ...own,
  );
  for (const { id, request } of invites) {
    // Its sealed fields stay as they are.
    const changed = { ...(JSON.parse(request) as Record<string, unknown>), identity: to };
    await tx.run('UPDATE invites SET request = ? WHERE id = ?', JSON.stringify(changed), id);
  }
}

async function rewriteOwn(tx: SqlTx, scope: Scope, identifier: string, to: Identity): Promise<void> {
  const personId = await findIdentityOwner(tx, scope, { provider: 'email', identifier });
  if (personId === undefined) return;
  const holder = await findIdentityOwner(tx, scope, to);
  const own = [...ofScope(scope), 'email', identifier] as const;
  const where = 'company_id = ? AND partition = ? AND provider = ? AND identifier = ?';
  if (holder === personId) await tx.run(`DELETE FROM person_identities WHERE ${where}`, ...own);
  if (holder !== undefined) return;
  const name = [...ofScope(scope), 'email', to.identifier] as const;
  await tx.run(
    `UPDATE person_identities SET identifier = ?, given = ? WHERE ${where}`,
    to.identifier,
    tx.secrets.seal('person_identities.given', name, to.given ?? null),
    ...own,
  );
}

/** Addresses of a scope that are not canonical, with their people; few remain after an upgrade. */
export function listOtherEmailsOf(
  db: SqlReader,
  scope: Scope,
  limit: number,
): Promise<{ identifier: string; personId: string }[]> {
  return db.all(
    `SELECT identifier, person_id AS personId FROM person_identities
     WHERE company_id = ? AND partition = ? AND provider = 'email' AND octet_length(identifier) <> length(identifier)
     ORDER BY identifier LIMIT ?`,
    ...ofScope(scope),
    limit,
  );
}

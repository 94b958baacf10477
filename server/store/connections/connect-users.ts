import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { fromJson, ofScope, toJson } from '../rows.ts';

/** The generations whose integrations identify a user by their own ID. */
type ConnectGeneration = 'v1' | 'v2';

/** `none` before an approval; afterwards it follows the person's connection to the company (decisions §4.7). */
type Connection = 'none' | 'connected' | 'revoked' | 'denied';

/** A user whom a v1 or v2 integration identifies by its own ID: our `bcu_` ID and their `reference_user_id`. */
export type ConnectUser = {
  id: string;
  scope: Scope;
  /** The key family that registered the user; webhooks go to the same family (decisions §2.5). */
  keyLineageId: string;
  generation: ConnectGeneration;
  referenceUserId: string;
  /** v1: the requested types of result, in the requested order. */
  dataRequest: string[];
  connection: Connection;
  personId: string | null;
  /** The pass that the connection is based on. */
  passId: string | null;
  createdAt: number;
  changedAt: number;
};

type Row = Omit<ConnectUser, 'scope' | 'dataRequest'> & Scope & { dataRequest: string };

const COLUMNS = `id, company_id AS companyId, partition, key_lineage_id AS keyLineageId, generation,
  reference_user_id AS referenceUserId, data_request AS dataRequest, connection, person_id AS personId,
  pass_id AS passId, created_at AS createdAt, changed_at AS changedAt`;

const fromRow = ({ companyId, partition, dataRequest, ...row }: Row): ConnectUser => ({
  ...row,
  scope: { companyId, partition },
  dataRequest: fromJson<string[]>(dataRequest),
});

/**
 * Registers a user. A reference that its key family already knows keeps its ID and its connection; the requested data
 * is replaced. Returns the user as stored.
 */
export async function upsertConnectUser(
  tx: SqlTx,
  scope: Scope,
  user: Pick<ConnectUser, 'id' | 'keyLineageId' | 'generation' | 'referenceUserId' | 'dataRequest'> & {
    at: number;
  },
): Promise<ConnectUser> {
  await tx.run(
    `INSERT INTO connect_users (id, company_id, partition, key_lineage_id, generation, reference_user_id, data_request,
       created_at, changed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (company_id, partition, key_lineage_id, generation, reference_user_id)
     DO UPDATE SET data_request = excluded.data_request, changed_at = excluded.changed_at`,
    user.id,
    ...ofScope(scope),
    user.keyLineageId,
    user.generation,
    user.referenceUserId,
    toJson(user.dataRequest),
    user.at,
    user.at,
  );
  const stored = await findConnectUser(tx, scope, user.keyLineageId, user.generation, user.referenceUserId);
  if (!stored) throw new Error('A user who was just registered is missing.');
  return stored;
}

/** By the integration's own ID, as seen by the key family that registered it. */
export async function findConnectUser(
  db: SqlReader,
  scope: Scope,
  keyLineageId: string,
  generation: ConnectGeneration,
  referenceUserId: string,
): Promise<ConnectUser | undefined> {
  const row = await db.one<Row>(
    `SELECT ${COLUMNS} FROM connect_users
     WHERE company_id = ? AND partition = ? AND key_lineage_id = ? AND generation = ? AND reference_user_id = ?`,
    ...ofScope(scope),
    keyLineageId,
    generation,
    referenceUserId,
  );
  return row && fromRow(row);
}

export async function findConnectUserById(
  db: SqlReader,
  scope: Scope,
  id: string,
): Promise<ConnectUser | undefined> {
  const row = await db.one<Row>(
    `SELECT ${COLUMNS} FROM connect_users WHERE company_id = ? AND partition = ? AND id = ?`,
    ...ofScope(scope),
    id,
  );
  return row && fromRow(row);
}

/**
 * Changes a user's connection to the company, with the person and the pass that it is based on. Returns rows changed.
 */
export function setConnection(
  tx: SqlTx,
  scope: Scope,
  id: string,
  change: { connection: Connection; personId: string | null; passId: string | null; at: number },
): Promise<number> {
  return tx.run(
    `UPDATE connect_users SET connection = ?, person_id = ?, pass_id = ?, changed_at = ?
     WHERE company_id = ? AND partition = ? AND id = ?`,
    change.connection,
    change.personId,
    change.passId,
    change.at,
    ...ofScope(scope),
    id,
  );
}

/** Every user of the scope that belonged to this person, of either generation, oldest first. */
export async function listConnectUsersOfPerson(
  db: SqlReader,
  scope: Scope,
  personId: string,
): Promise<ConnectUser[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM connect_users WHERE company_id = ? AND partition = ? AND person_id = ?
     ORDER BY created_at, id`,
    ...ofScope(scope),
    personId,
  );
  return rows.map(fromRow);
}

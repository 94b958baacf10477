import type { DeletionTime } from '../../domain/clock.ts';
import type { Partition, Scope } from '../../domain/scope.ts';
import { deleteSome, insertRow, ofScope, OVER_AT_ONCE } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export async function insertMySession(
  tx: SqlTx,
  session: { tokenHash: Uint8Array; number: string; expiresAt: number },
): Promise<void> {
  await insertRow(tx, 'my_sessions', {
    token_hash: session.tokenHash,
    number: session.number,
    expires_at: session.expiresAt,
  });
}

/** The number of a token, while it is valid. */
export async function findMyNumber(
  db: SqlReader,
  tokenHash: Uint8Array,
  nowMs: number,
): Promise<string | undefined> {
  const row = await db.one<{ number: string }>(
    'SELECT number FROM my_sessions WHERE token_hash = ? AND expires_at > ?',
    tokenHash,
    nowMs,
  );
  return row?.number;
}

/** Returns rows removed, at most `OVER_AT_ONCE`. */
export function deleteEndedMySessions(tx: SqlTx, time: DeletionTime): Promise<number> {
  const ended = { table: 'my_sessions', key: 'token_hash', where: 'expires_at <= ?' };
  return deleteSome(tx.run, ended, [time], OVER_AT_ONCE);
}

export type OwnPerson = {
  scope: Scope;
  personId: string;
  organiser: string;
  since: number;
  lastSeenAt: number;
};

type Row = Omit<OwnPerson, 'scope'> & { companyId: string; partition: Partition };

/**
 * The people of any company who have verified this number, or were approved with it before they disconnected: one
 * person's own data, for themselves.
 */
export async function listPeopleOfNumber(
  db: SqlReader,
  number: string,
  partition: Partition,
): Promise<OwnPerson[]> {
  const rows = await db.all<Row>(
    `SELECT p.company_id AS companyId, p.partition, p.id AS personId, c.name AS organiser,
       p.created_at AS since, p.last_seen_at AS lastSeenAt
     FROM people p JOIN companies c ON c.id = p.company_id
     WHERE p.partition = ? AND p.id IN (
       SELECT person_id FROM person_identities WHERE provider = 'phone' AND identifier = ? AND partition = ?
       UNION
       SELECT person_id FROM passes
       WHERE identity_provider = 'phone' AND identity_identifier = ? AND partition = ? AND status = 'approved')
     ORDER BY p.last_seen_at DESC`,
    partition,
    number,
    partition,
    number,
    partition,
  );
  return rows.map(toOwnPerson);
}

const toOwnPerson = ({ companyId, partition, ...row }: Row): OwnPerson => ({
  ...row,
  scope: { companyId, partition },
});

/** One person of one organiser, for themselves. */
export async function findOwnPerson(
  db: SqlReader,
  scope: Scope,
  personId: string,
): Promise<OwnPerson | undefined> {
  const row = await db.one<Row>(
    `SELECT p.company_id AS companyId, p.partition, p.id AS personId, c.name AS organiser,
       p.created_at AS since, p.last_seen_at AS lastSeenAt
     FROM people p JOIN companies c ON c.id = p.company_id
     WHERE p.company_id = ? AND p.partition = ? AND p.id = ?`,
    ...ofScope(scope),
    personId,
  );
  return row && toOwnPerson(row);
}

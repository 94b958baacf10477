import type { Partition, Scope } from '../domain/scope.ts';
import type { SqlReader, SqlTx } from './port.ts';

export async function insertMySession(
  tx: SqlTx,
  session: { tokenHash: Uint8Array; number: string; expiresAt: number },
): Promise<void> {
  await tx.run(
    'INSERT INTO my_sessions (token_hash, number, expires_at) VALUES (?, ?, ?)',
    session.tokenHash,
    session.number,
    session.expiresAt,
  );
}

/** The number that a token stands for, while it is good. */
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

export function deleteEndedMySessions(tx: SqlTx, nowMs: number): Promise<number> {
  return tx.run('DELETE FROM my_sessions WHERE expires_at <= ?', nowMs);
}

export type OwnPerson = {
  scope: Scope;
  personId: string;
  organiser: string;
  since: number;
  lastSeenAt: number;
};

type Row = Omit<OwnPerson, 'scope'> & { companyId: string; partition: Partition };

/** The people of any company who have proven this number: one human's own data, for themselves. */
export async function listPeopleOfNumber(
  db: SqlReader,
  number: string,
  partition: Partition,
): Promise<OwnPerson[]> {
  const rows = await db.all<Row>(
    `SELECT i.company_id AS companyId, i.partition, i.person_id AS personId, c.name AS organiser,
       p.created_at AS since, p.last_seen_at AS lastSeenAt
     FROM person_identities i
     JOIN people p ON p.id = i.person_id
     JOIN companies c ON c.id = i.company_id
     WHERE i.provider = 'phone' AND i.identifier = ? AND i.partition = ? ORDER BY p.last_seen_at DESC`,
    number,
    partition,
  );
  return rows.map(({ companyId, partition: own, ...row }) => ({
    ...row,
    scope: { companyId, partition: own },
  }));
}

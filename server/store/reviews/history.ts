/** Earlier passes and decisions of the people in a case. */
import type { Identity } from '../../domain/identity.ts';
import type { Reason } from '../../domain/settling/reasons.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlValue } from '../sql/port.ts';
import { eventNameOf } from '../venue/event-name.ts';
import { fromJson, ofScope } from '../rows.ts';

export type PastPass = {
  id: string;
  status: 'approved' | 'denied';
  reasons: Reason[];
  group: string | null;
  eventName: string | null;
  externalId: string | null;
  settledAt: number;
  lockedAt: number | null;
};

type Row = Omit<PastPass, 'reasons'> & { reasons: string };

const COLUMNS = `id, status, reasons, group_id AS "group", external_id AS externalId, settled_at AS settledAt,
  locked_at AS lockedAt, ${eventNameOf('passes')} AS "eventName"`;

async function list(db: SqlReader, where: string, ...values: SqlValue[]): Promise<PastPass[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM passes WHERE ${where} ORDER BY settled_at DESC LIMIT ?`,
    ...values,
  );
  return rows.map((row) => ({ ...row, reasons: fromJson<Reason[]>(row.reasons) }));
}

/** A person's passes, newest first. */
export const listPassesOfPerson = (
  db: SqlReader,
  scope: Scope,
  personId: string,
  limit: number,
): Promise<PastPass[]> =>
  list(db, 'person_id = ? AND company_id = ? AND partition = ?', personId, ...ofScope(scope), limit);

/** Passes of runs with the credential, newest first. */
export const listPassesOfIdentity = (
  db: SqlReader,
  scope: Scope,
  { provider, identifier }: Identity,
  limit: number,
): Promise<PastPass[]> =>
  list(
    db,
    'company_id = ? AND partition = ? AND identity_provider = ? AND identity_identifier = ?',
    ...ofScope(scope),
    provider,
    identifier,
    limit,
  );

/** How many others a reviewer has told apart from this person. */
export async function countDistinctFrom(db: SqlReader, scope: Scope, personId: string): Promise<number> {
  const row = await db.one<{ n: number }>(
    `SELECT (SELECT COUNT(*) FROM distinct_pairs WHERE company_id = ? AND partition = ? AND person_a = ?)
       + (SELECT COUNT(*) FROM distinct_pairs WHERE person_b = ? AND company_id = ? AND partition = ?) AS n`,
    ...ofScope(scope),
    personId,
    personId,
    ...ofScope(scope),
  );
  return row?.n ?? 0;
}

export type LookAlike = { personId: string; decidedAt: number };

/** Whom a reviewer has told apart from this person, the latest first. */
export function listDistinctFrom(
  db: SqlReader,
  scope: Scope,
  personId: string,
  limit: number,
): Promise<LookAlike[]> {
  return db.all<LookAlike>(
    `SELECT personId, decidedAt FROM (
       SELECT person_b AS personId, decided_at AS decidedAt FROM distinct_pairs
       WHERE company_id = ? AND partition = ? AND person_a = ?
       UNION ALL
       SELECT person_a AS personId, decided_at AS decidedAt FROM distinct_pairs
       WHERE person_b = ? AND company_id = ? AND partition = ?) AS pairs
     ORDER BY decidedAt DESC, personId LIMIT ?`,
    ...ofScope(scope),
    personId,
    personId,
    ...ofScope(scope),
    limit,
  );
}

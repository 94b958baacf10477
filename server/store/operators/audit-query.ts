import type { Partition } from '../../domain/scope.ts';
import { placesFor } from '../rows.ts';
import type { SqlReader, SqlValue } from '../sql/port.ts';
import { JOINED_VERIFICATION, type JoinedVerification } from '../companies/verifications.ts';
import { ACTOR_NAME, actorJoins } from './actor-names.ts';

/** Without a verification's fields unless the subject is one. */
export type AuditRow = (JoinedVerification | { verificationId: null }) & {
  seq: number;
  at: number;
  actor: string;
  actorName: string | null;
  action: string;
  companyId: string | null;
  partition: string | null;
  subject: string;
  /** Current name of the subject; null if it has none or no longer exists. */
  subjectName: string | null;
  /** Current name of the reviewer whom a case was assigned to. */
  toName: string | null;
  details: string;
  hash: Uint8Array;
};

/** `actor` and `action` match exactly, or as a prefix if they end with `*`. */
export type AuditFilter = {
  actor?: string;
  action?: string;
  /** Any of these; none finds nothing. */
  actors?: readonly string[];
  actions?: readonly string[];
  subjects?: readonly string[];
  /** The end of the subject's ID, beside `subjects`. */
  subjectEnd?: string;
  companyId?: string;
  fromMs?: number;
  toMs?: number;
  /** Only what people did or tried, not what the service, guests, keys and kiosks did. */
  byPeople?: boolean;
  /** Only entries about this operator's companies. */
  companiesOf?: string;
};

/** Newest first, older than `before`. */
export function listAuditEntries(
  db: SqlReader,
  filter: AuditFilter,
  before: number | null,
  limit: number,
): Promise<AuditRow[]> {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const need = (condition: string, ...bound: SqlValue[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  const needText = (column: string, text: string | undefined) => {
    if (text === undefined) return;
    if (text.endsWith('*')) need(`substr(${column}, 1, ?) = ?`, text.length - 1, text.slice(0, -1));
    else need(`${column} = ?`, text);
  };
  if (before !== null) need('a.seq < ?', before);
  needText('a.actor', filter.actor);
  needText('a.action', filter.action);
  const needAny = (column: string, texts: readonly string[] | undefined, or?: string) => {
    if (texts === undefined) return;
    const places = texts.length === 0 ? 'NULL' : placesFor(texts);
    const end = or === undefined ? '' : ` OR ${column} LIKE ?`;
    need(`(${column} IN (${places})${end})`, ...texts, ...(or === undefined ? [] : [`%${or}`]));
  };
  needAny('a.actor', filter.actors);
  needAny('a.action', filter.actions);
  needAny('a.subject', filter.subjects, filter.subjectEnd);
  if (filter.byPeople === true)
    need(
      "(a.actor LIKE 'operator:%' OR a.actor IN ('cli', 'first start', 'recovery phrase') OR a.action LIKE 'operator.%')",
    );
  if (filter.companyId !== undefined) need('a.company_id = ?', filter.companyId);
  if (filter.fromMs !== undefined) need('a.at >= ?', filter.fromMs);
  if (filter.toMs !== undefined) need('a.at < ?', filter.toMs);
  if (filter.companiesOf !== undefined)
    need(
      'a.company_id IN (SELECT company_id FROM operator_companies WHERE operator_id = ?)',
      filter.companiesOf,
    );
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return db.all<AuditRow>(
    `SELECT a.seq, a.at, a.actor, ${ACTOR_NAME} AS actorName, a.action, a.company_id AS companyId, a.partition, a.subject,
       COALESCE(so.name, c.name, e.name, k.name, ks.name, v.external_id, v.origin, (
         SELECT COALESCE((SELECT n.name FROM key_names n WHERE n.lineage_id = keys.lineage_id), display) FROM keys
         WHERE company_id = a.company_id AND partition = a.partition AND (id = a.subject OR pair_id = a.subject OR lineage_id = a.subject)
         ORDER BY kind DESC LIMIT 1
       )) AS subjectName, ${JOINED_VERIFICATION}, ta.name AS toName, a.details, a.hash
     FROM audit_entries a
     ${actorJoins('a.actor')}
     LEFT JOIN operators so ON so.id = a.subject
     LEFT JOIN companies c ON c.id = a.subject
     LEFT JOIN events e ON e.id = a.subject
     LEFT JOIN kiosks k ON k.id = a.subject
     LEFT JOIN kiosks ks ON a.subject LIKE 'kiosk:%' AND ks.id = substr(a.subject, 7)
     LEFT JOIN verifications v ON v.id = a.subject
     LEFT JOIN operators ta ON a.action = 'review.assign' AND ta.id = json_extract(a.details, '$.to')
     ${where} ORDER BY a.seq DESC LIMIT ?`,
    ...values,
    limit,
  );
}

export async function lastAuditHash(db: SqlReader): Promise<Uint8Array | null> {
  const row = await db.one<{ hash: Uint8Array }>('SELECT hash FROM audit_entries ORDER BY seq DESC LIMIT 1');
  return row?.hash ?? null;
}

/** Everyone of whom the log says that they were erased, oldest first. */
export const listErasedPeople = (
  db: SqlReader,
): Promise<{ companyId: string; partition: Partition; personId: string }[]> =>
  db.all<{ companyId: string; partition: Partition; personId: string }>(
    `SELECT company_id AS companyId, partition, subject AS personId FROM audit_entries
     WHERE action = 'person.erase' AND company_id IS NOT NULL AND partition IS NOT NULL ORDER BY seq`,
  );

/** Changes by forms that were open for a while: merged with what others changed since, or refused with both values. */
import type { AuditAction } from '../../contract/console/audit.ts';
import { type FieldConflict, type Fields, mergeFields } from '../../domain/versions.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { fromJson } from '../../store/rows.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { iso } from './values.ts';

export { versionOf } from '../../domain/versions.ts';

/** Where the audit log names who changed a record. */
export type ChangeLog = {
  subject: string;
  companyId?: string;
  /** Of all fields, listed as `changed` in the details; or of each field its own. */
  actions: readonly AuditAction[] | Readonly<Record<string, AuditAction>>;
  /** Also in the details of its entries, if the subject has several records. */
  details?: Readonly<Record<string, string>>;
};

/** Changes that are looked through for who made one; older ones have no name. */
const LOOKED_THROUGH = 50;

/**
 * The fields to store, in the transaction that stores them.
 * @param version with which the form was opened; without one, everything that was sent counts as changed
 * @param current the record's fields, as on the wire
 * @throws Refusal `changed_meanwhile` if somebody else changed the same field
 */
export async function mergeChange<T extends Fields>(
  tx: SqlTx,
  {
    version,
    current,
    sent,
    log,
  }: {
    version: string | undefined;
    current: T;
    sent: Readonly<{ [Name in keyof T]?: T[Name] | undefined }>;
    log: ChangeLog;
  },
): Promise<Partial<T>> {
  const given = Object.fromEntries(
    Object.keys(current).flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])),
  ) as Partial<T>;
  if (version === undefined) return given;
  const merge = mergeFields(version, current, given);
  if (merge.conflicts.length === 0) return merge.change;
  const fields = await Promise.all(merge.conflicts.map((conflict) => withAuthor(tx, conflict, log)));
  throw new Refusal('changed_meanwhile', { conflict: { version: merge.version, fields } });
}

async function withAuthor(
  db: SqlReader,
  conflict: FieldConflict,
  { subject, actions, companyId, details: of = {} }: ChangeLog,
) {
  const entries = await listAuditEntries(
    db,
    { subjects: [subject], ...(companyId !== undefined && { companyId }) },
    null,
    LOOKED_THROUGH,
  );
  const [name = ''] = conflict.field.split('.');
  const own = Array.isArray(actions) ? actions : [(actions as Readonly<Record<string, AuditAction>>)[name]];
  const entry = entries.find(({ action, details }) => {
    const recorded = fromJson<Record<string, unknown>>(details);
    const isOfRecord = Object.entries(of).every(([detail, value]) => recorded[detail] === value);
    const { changed } = recorded;
    return own.includes(action) && isOfRecord && (!Array.isArray(changed) || changed.includes(name));
  });
  return {
    ...conflict,
    changed_by: entry?.actorName ?? entry?.actor ?? null,
    changed_at: entry === undefined ? null : iso(entry.at),
  };
}

/** Names of the fields whose values differ, for the audit log. */
export const changedNames = <T extends Fields>(before: T, after: Partial<T>): string[] =>
  Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));

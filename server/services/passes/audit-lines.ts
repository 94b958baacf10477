/** Entries of the audit log about one case or person. */
import type { AuditLine } from '../../contract/console/audit.ts';
import type { Scope } from '../../domain/scope.ts';
import { type AuditRow, listAuditEntries } from '../../store/operators/audit-query.ts';
import { fromJson } from '../../store/rows.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { joinedLabel } from '../companies/verifications.ts';
import { iso } from '../wire/values.ts';

const MOST_LINES = 50;
/** Every operator of the company can read these, not only admins. */
const SHOWN_DETAILS = ['decision', 'reason', 'from', 'to'];

/**
 * Newest first, without addresses and other details that only the audit log shows.
 * @param subjects IDs
 */
export async function readAuditLines(
  db: SqlReader,
  { companyId }: Scope,
  subjects: readonly string[],
): Promise<AuditLine[]> {
  const rows = await listAuditEntries(db, { companyId, subjects }, null, MOST_LINES);
  return rows.map(toAuditLine).map((line) => ({
    ...line,
    details: Object.fromEntries(
      Object.entries(line.details).filter(([name]) => SHOWN_DETAILS.includes(name)),
    ),
  }));
}

export function toAuditLine(row: AuditRow): AuditLine {
  return {
    seq: row.seq,
    at: iso(row.at),
    actor: row.actor,
    actor_name: row.actorName,
    action: row.action,
    company_id: row.companyId,
    partition: row.partition,
    subject: row.subject,
    subject_name: row.subjectName,
    subject_verification: row.verificationId === null ? null : joinedLabel(row),
    to_name: row.toName,
    details: fromJson<Record<string, unknown>>(row.details),
  };
}

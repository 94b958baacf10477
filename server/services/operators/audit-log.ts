import type {
  AuditFilters,
  AuditItem,
  AuditPage,
  AuditQuery,
  AuditVerdict,
} from '../../contract/console/audit.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import { appendAudit, verifyAudit } from '../../store/operators/audit.ts';
import {
  type AuditFilter,
  type AuditRow,
  lastAuditHash,
  listAuditEntries,
} from '../../store/operators/audit-query.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { toAuditLine } from '../passes/audit-lines.ts';
import { venueRange } from '../companies/zones.ts';
import { auditWords } from './audit-words.ts';
import { placeOf } from '../wire/values.ts';
import type { SignedIn } from './operator-session.ts';

const EXPORT_PAGE = 1_000;

/**
 * Newest first; for an operator who is limited to companies, only entries about those.
 * @throws Refusal `invalid_cursor`, `invalid_time`
 */
export async function readAuditPage(db: SqlReader, query: AuditQuery, reader: SignedIn): Promise<AuditPage> {
  const limit = pageLimit(query);
  const rows = await listAuditEntries(
    db,
    await toFilter(db, query, reader),
    placeOf(query.cursor, ['number'])?.[0] ?? null,
    limit + 1,
  );
  return toPage(rows, limit, ({ seq }) => [seq], toItem);
}

/**
 * All matching entries, a page at a time, newest first. The export itself is recorded first.
 * @throws Refusal `invalid_time`, before the first entry
 */
export async function exportAudit(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  filters: AuditFilters,
  reader: SignedIn,
): Promise<AsyncGenerator<AuditItem>> {
  const filter = await toFilter(db, filters, reader);
  await db.tx((tx) =>
    appendAudit(tx, {
      at: clock.now(),
      actor: reader.actor,
      action: 'audit.export',
      subject: 'audit log',
      details: { ...filters },
    }),
  );
  return matching(db, filter);
}

async function* matching(db: SqlReader, filter: AuditFilter): AsyncGenerator<AuditItem> {
  let before: number | null = null;
  for (;;) {
    const rows: AuditRow[] = await listAuditEntries(db, filter, before, EXPORT_PAGE);
    for (const row of rows) yield toItem(row);
    before = rows.at(-1)?.seq ?? null;
    if (before === null || rows.length < EXPORT_PAGE) return;
  }
}

/** Recomputes the whole chain. */
export async function checkAudit(db: SqlReader): Promise<AuditVerdict> {
  const { entries, brokenAt } = await verifyAudit(db);
  const head = await lastAuditHash(db);
  return {
    intact: brokenAt === null,
    entries,
    broken_at: brokenAt,
    head_hash: head && Buffer.from(head).toString('hex'),
  };
}

async function toFilter(
  db: SqlReader,
  filters: AuditFilters,
  { isLimited, operator }: SignedIn,
): Promise<AuditFilter> {
  const { company_id: companyId } = filters;
  return {
    ...(isLimited && { companiesOf: operator.id }),
    ...(await auditWords(db, filters)),
    ...(filters.by === 'people' && { byPeople: true }),
    ...(companyId !== undefined && { companyId }),
    ...(await venueRange(db, companyId ?? null, filters)),
  };
}

function toItem(row: AuditRow): AuditItem {
  return { ...toAuditLine(row), hash: Buffer.from(row.hash).toString('hex') };
}

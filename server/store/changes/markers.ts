/** What tells the console's pages that a topic has changed; it reads the tables of every capability. */
import { REPLY_TOPICS, type ChangeVersions, type ChangeTopic } from '../../contract/console/changes.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader } from '../sql/port.ts';

/** A text per topic that changes with its data. Each node announces its own health. */
export type ChangeMarkers = Record<Exclude<ChangeTopic, 'health'>, string>;

/**
 * Erasures by any process: open pages may show the person. Counted, because their times may go back, on another
 * node or after the clock was set back. No record of an erasure is ever deleted.
 */
const ERASURES = `(SELECT COUNT(*) FROM erasure_proofs WHERE company_id = ? AND partition = ?)`;

/** Covers who holds each case and whom it is assigned to. Renewing a lease doesn't change it. */
const CASE_MARKER = `${ERASURES} || '/' || (SELECT COUNT(*) || '/' || COALESCE(SUM(opened_at), 0) || '/' || COALESCE(SUM(claimed_at), 0) || '/' ||
   COALESCE(SUM(decision_effective_at), 0) || '/' || COALESCE(SUM(assigned_at), 0)
 FROM review_cases WHERE company_id = ? AND partition = ? AND decision IS NULL)`;

/** The marker of only the topic `case`. */
export async function readCaseMarker(db: SqlReader, { companyId, partition }: Scope): Promise<string> {
  const own = [companyId, partition] as const;
  const row = await db.one<{ marker: string }>(`SELECT ${CASE_MARKER} AS marker`, ...own, ...own);
  return row?.marker ?? '';
}

const LATEST_AUDIT_ENTRY = 'COALESCE((SELECT MAX(seq) FROM audit_entries), 0)';

/**
 * What the event stream announces after a change that was just committed. Without a scope, only the latest entry of
 * the audit log is known.
 * @param day today, `YYYY-MM-DD`
 */
export async function readChangeVersions(
  db: SqlReader,
  scope: Scope | null,
  day: string,
): Promise<ChangeVersions> {
  if (scope === null) {
    const row = await db.one<{ audit: string }>(`SELECT '/' || ${LATEST_AUDIT_ENTRY} AS audit`);
    return row ?? {};
  }
  const markers = await readMarkers(db, scope, day);
  return Object.fromEntries(REPLY_TOPICS.map((topic) => [topic, markers[topic]]));
}

/**
 * The highest number in a table of webhooks, with one index step for each key family. Only for the scope, because the
 * numbers are committed in order only within a company, and a late one would not change a maximum over all.
 */
const newestOf = (table: 'webhook_calls' | 'webhook_events'): string => `COALESCE((
  SELECT MAX((SELECT MAX(w.seq) FROM ${table} w
    WHERE w.company_id = k.company_id AND w.partition = k.partition AND w.key_lineage_id = k.lineage_id))
  FROM (SELECT DISTINCT company_id, partition, lineage_id FROM keys WHERE company_id = ? AND partition = ?) AS k), 0)`;

/** How far the clocks of nodes may differ. */
const SKEW_MS = 10_000;

/**
 * The newest session, and how many are about as new: a node whose clock is behind may create one with an earlier time.
 * What happens to a session later is announced with its commit.
 */
const NEWEST_SESSIONS = `(SELECT COALESCE(MAX(created_at), 0) || '/' || COUNT(*) FROM sessions
  WHERE company_id = ? AND partition = ? AND created_at >
    (SELECT MAX(created_at) FROM sessions WHERE company_id = ? AND partition = ?) - ${SKEW_MS})`;

/**
 * Sums of times, not the latest one, because a change by a node whose clock is behind has an earlier time. Each takes a
 * few index steps, or counts rows that are few: new sessions, open cases, erasures, kiosks, events.
 * @param day today, `YYYY-MM-DD`
 */
export async function readMarkers(db: SqlReader, scope: Scope, day: string): Promise<ChangeMarkers> {
  const own = [scope.companyId, scope.partition] as const;
  const row = await db.one<ChangeMarkers>(
    `SELECT
       ${ERASURES} || '/' ||
       ${NEWEST_SESSIONS} || '/' ||
       COALESCE((SELECT MAX(settled_at) FROM passes WHERE company_id = ? AND partition = ?), 0) AS session,
       ${CASE_MARKER} AS "case",
       ${newestOf('webhook_calls')} || '/' || ${newestOf('webhook_events')} AS webhook,
       COALESCE((SELECT settled FROM usage_days WHERE company_id = ? AND partition = ? AND day = ?), 0) || '/' ||
       COALESCE((SELECT daily_limit FROM companies WHERE id = ?), 0) AS usage,
       COALESCE((SELECT value FROM settings WHERE name = 'maintenance'), '') || '/' ||
       (SELECT COUNT(*) || '/' || COUNT(cancelled_at) FROM maintenance_windows) AS maintenance,
       COALESCE((SELECT MAX(seq) FROM audit_entries WHERE company_id = ?), 0) || '/' ||
       ${LATEST_AUDIT_ENTRY} AS audit,
       (SELECT COUNT(*) || '/' || COALESCE(SUM(changed_at), 0) FROM kiosks WHERE company_id = ?) || '/' ||
       (SELECT COUNT(*) || '/' || COALESCE(SUM(updated_at), 0) FROM events WHERE company_id = ? AND partition = ?)
         AS venue`,
    ...own,
    ...own,
    ...own,
    ...own,
    ...own,
    ...own,
    ...own,
    ...own,
    ...own,
    day,
    scope.companyId,
    scope.companyId,
    scope.companyId,
    ...own,
  );
  return row ?? { session: '', case: '', webhook: '', usage: '', maintenance: '', audit: '', venue: '' };
}

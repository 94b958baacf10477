/** Runs of an event, counted. An event's runs are those of its group, and those that its kiosks scanned. */
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlValue } from '../port.ts';

/** `event` null stands for every run of the scope. */
export type RunSelection = {
  scope: Scope;
  event: { id: string; group: string } | null;
  /** When it ended, inclusive, and exclusive. */
  fromMs: number;
  toMs: number;
};

const COLUMNS = 's.id, s.state, s.pass_id, s.settled_at, s.group_id';

/** The runs as a table expression `runs`, with what it binds. */
export function runsTable({ scope, event, fromMs, toMs }: RunSelection): { sql: string; values: SqlValue[] } {
  const own = 's.company_id = ? AND s.partition = ?';
  const ended = 's.settled_at >= ? AND s.settled_at < ?';
  const ofScope: SqlValue[] = [scope.companyId, scope.partition];
  if (event === null) {
    return {
      sql: `runs AS (SELECT ${COLUMNS} FROM sessions s WHERE ${own} AND ${ended})`,
      values: [...ofScope, fromMs, toMs],
    };
  }
  return {
    sql: `runs AS (
      SELECT ${COLUMNS} FROM sessions s WHERE ${own} AND s.group_id = ? AND ${ended}
      UNION ALL
      SELECT ${COLUMNS} FROM kiosk_runs k JOIN sessions s ON s.id = k.session_id
      WHERE k.event_id = ? AND k.origin = 'scan' AND ${own} AND (s.group_id IS NULL OR s.group_id <> ?) AND ${ended})`,
    values: [...ofScope, event.group, fromMs, toMs, event.id, ...ofScope, event.group, fromMs, toMs],
  };
}

/**
 * How a run counts. Its own pass may be none (review, cancelled) or an earlier one (`passed_again`); an entry that the
 * event's limit allows once more is approved with a collision alone.
 */
export const OUTCOME = `CASE
  WHEN r.state = 'in_review' THEN 'in_review'
  WHEN p.id IS NULL THEN 'unfinished'
  WHEN p.session_id IS NOT r.id THEN 'passed_again'
  WHEN p.status = 'approved' AND p.reasons = '[]' THEN 'passed'
  WHEN p.status = 'approved' AND p.reasons IN ('["collision"]', '["collision_company"]') THEN 'passed_again'
  WHEN p.status = 'approved' THEN 'flagged'
  WHEN p.declined = 1 THEN 'declined'
  ELSE 'turned_away' END`;

export type CountedOutcome =
  'passed' | 'passed_again' | 'flagged' | 'turned_away' | 'declined' | 'in_review' | 'unfinished';

export async function countOutcomes(
  db: SqlReader,
  selection: RunSelection,
): Promise<{ outcome: CountedOutcome; n: number }[]> {
  const { sql, values } = runsTable(selection);
  return db.all(
    `WITH ${sql} SELECT ${OUTCOME} AS outcome, COUNT(*) AS n FROM runs r LEFT JOIN passes p ON p.id = r.pass_id
     GROUP BY outcome`,
    ...values,
  );
}

/** By hour of UTC, oldest first. @returns `hour` in hours since the epoch */
export async function countByHour(
  db: SqlReader,
  selection: RunSelection,
): Promise<{ hour: number; outcome: CountedOutcome; n: number }[]> {
  const { sql, values } = runsTable(selection);
  return db.all(
    `WITH ${sql} SELECT r.settled_at / 3600000 AS hour, ${OUTCOME} AS outcome, COUNT(*) AS n
     FROM runs r LEFT JOIN passes p ON p.id = r.pass_id GROUP BY hour, outcome ORDER BY hour`,
    ...values,
  );
}

/** Reasons of those turned away, as stored: JSON lists, each with how often it stands. */
export async function countReasons(
  db: SqlReader,
  selection: RunSelection,
): Promise<{ reasons: string; n: number }[]> {
  const { sql, values } = runsTable(selection);
  return db.all(
    `WITH ${sql} SELECT p.reasons, COUNT(*) AS n FROM runs r JOIN passes p ON p.id = r.pass_id
     WHERE p.status = 'denied' AND p.declined = 0 AND p.session_id = r.id GROUP BY p.reasons`,
    ...values,
  );
}

/** Cases of the event's runs, by decision (null: open). */
export async function countCases(
  db: SqlReader,
  scope: Scope,
  event: { id: string; group: string },
): Promise<{ decision: string | null; n: number }[]> {
  return db.all(
    `SELECT c.decision, COUNT(*) AS n FROM review_cases c JOIN sessions s ON s.id = c.session_id
     WHERE c.company_id = ? AND c.partition = ?
       AND (s.group_id = ? OR s.id IN (SELECT session_id FROM kiosk_runs WHERE event_id = ?))
     GROUP BY c.decision`,
    scope.companyId,
    scope.partition,
    event.group,
    event.id,
  );
}

export async function countOpenCases(db: SqlReader, scope: Scope): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM review_cases WHERE company_id = ? AND partition = ? AND decision IS NULL',
    scope.companyId,
    scope.partition,
  );
  return row?.n ?? 0;
}

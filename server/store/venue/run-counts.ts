/** Counts of an event's runs: those of its group, and those that its kiosks scanned. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlValue } from '../sql/port.ts';

/** `event` null means every run of the scope. */
export type RunSelection = {
  scope: Scope;
  event: { id: string; group: string } | null;
  /** When it ended: start inclusive, end exclusive. */
  fromMs: number;
  toMs: number;
};

/** How a run counts; kept by triggers (migration 17). */
export type CountedOutcome =
  | 'passed'
  | 'passed_again'
  | 'flagged'
  | 'turned_away'
  | 'declined'
  | 'in_review'
  | 'unfinished';

/** Runs that an event's kiosks scanned and that have no group, or another one. Binds `scannedOf`. */
const SCANNED_ELSEWHERE = `event_id = (SELECT id FROM events WHERE id = ? AND company_id = ?) AND origin = 'scan'
  AND partition = ? AND (group_id IS NULL OR group_id <> ?)`;
const scannedOf = (scope: Scope, event: { id: string; group: string }): SqlValue[] => [
  event.id,
  ...ofScope(scope),
  event.group,
];
const COUNTED = 'settled_at AS ended_at, counts_as AS outcome';
const COUNTED_SCAN = 'ended_at, counts_as AS outcome';

/**
 * The runs as a table expression `runs` with end time and count, and its bindings. Each part is read from an index
 * alone.
 */
function runsTable({ scope, event, fromMs, toMs }: RunSelection): { sql: string; values: SqlValue[] } {
  const own = 'company_id = ? AND partition = ?';
  const ended = 'settled_at >= ? AND settled_at < ?';
  if (event === null) {
    return {
      sql: `runs AS (SELECT ${COUNTED} FROM sessions WHERE ${own} AND ${ended})`,
      values: [...ofScope(scope), fromMs, toMs],
    };
  }
  return {
    sql: `runs AS (SELECT ${COUNTED} FROM sessions WHERE ${own} AND group_id = ? AND ${ended}
      UNION ALL SELECT ${COUNTED_SCAN} FROM kiosk_runs WHERE ${SCANNED_ELSEWHERE}
        AND ended_at >= ? AND ended_at < ?)`,
    values: [...ofScope(scope), event.group, fromMs, toMs, ...scannedOf(scope, event), fromMs, toMs],
  };
}

export async function countOutcomes(
  db: SqlReader,
  selection: RunSelection,
): Promise<{ outcome: CountedOutcome; n: number }[]> {
  const { sql, values } = runsTable(selection);
  return db.all(`WITH ${sql} SELECT outcome, COUNT(*) AS n FROM runs GROUP BY outcome`, ...values);
}

/**
 * By hour in UTC, oldest first.
 * @returns `hour` in hours since the epoch
 */
export async function countByHour(
  db: SqlReader,
  selection: RunSelection,
): Promise<{ hour: number; outcome: CountedOutcome; n: number }[]> {
  const { sql, values } = runsTable(selection);
  return db.all(
    `WITH ${sql} SELECT ended_at / 3600000 AS hour, outcome, COUNT(*) AS n FROM runs
     GROUP BY hour, outcome ORDER BY hour`,
    ...values,
  );
}

/** Reasons of refused runs, as stored: JSON lists, each with its frequency. */
export async function countReasons(
  db: SqlReader,
  scope: Scope,
  event: { id: string; group: string },
): Promise<{ reasons: string; n: number }[]> {
  return db.all(
    `WITH refused AS (
       SELECT pass_id FROM sessions WHERE company_id = ? AND partition = ? AND group_id = ?
         AND settled_at IS NOT NULL AND counts_as = 'turned_away'
       UNION ALL
       SELECT s.pass_id FROM (SELECT session_id FROM kiosk_runs WHERE ${SCANNED_ELSEWHERE}
         AND ended_at IS NOT NULL AND counts_as = 'turned_away') k CROSS JOIN sessions s WHERE s.id = k.session_id)
     SELECT p.reasons, COUNT(*) AS n FROM refused r CROSS JOIN passes p WHERE p.id = r.pass_id GROUP BY p.reasons`,
    ...ofScope(scope),
    event.group,
    ...scannedOf(scope, event),
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
    ...ofScope(scope),
    event.group,
    event.id,
  );
}

export async function countOpenCases(db: SqlReader, scope: Scope): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM review_cases WHERE company_id = ? AND partition = ? AND decision IS NULL',
    ...ofScope(scope),
  );
  return row?.n ?? 0;
}

/** Number of a kiosk's runs with this duration, to the tenth of a second. */
export type KioskTimes = { kioskId: string; name: string; tenths: number; runs: number; letIn: number };

/** Of an event, shortest first: one row per duration and kiosk, however many runs there were. */
export async function countKioskTimes(db: SqlReader, scope: Scope, eventId: string): Promise<KioskTimes[]> {
  return db.all<KioskTimes>(
    `WITH lengths AS (
       SELECT kiosk_id, (ended_at - started_at + 50) / 100 AS tenths, COUNT(*) AS runs,
         SUM(CASE WHEN counts_as IN ('passed', 'passed_again', 'flagged') THEN 1 ELSE 0 END) AS letIn
       FROM kiosk_runs
       WHERE event_id = ? AND partition = ? AND ended_at IS NOT NULL AND counts_as <> 'unfinished'
       GROUP BY kiosk_id, tenths)
     SELECT l.kiosk_id AS kioskId, q.name, l.tenths, l.runs, l.letIn FROM lengths l
     JOIN kiosks q ON q.id = l.kiosk_id AND q.company_id = ? ORDER BY l.tenths`,
    eventId,
    scope.partition,
    scope.companyId,
  );
}

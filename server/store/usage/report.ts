/**
 * Usage for display: by day, and by verification, group or outcome. Times are epoch milliseconds, days `YYYY-MM-DD`.
 */
import type { Scope } from '../../domain/scope.ts';
import { insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { JOINED_VERIFICATION, type JoinedVerification } from '../companies/verifications.ts';

export type DayRange = { from: string; to: string };

export function listMeteredDays(
  db: SqlReader,
  scope: Scope,
  { from, to }: DayRange,
): Promise<{ day: string; settled: number }[]> {
  return db.all(
    'SELECT day, settled FROM usage_days WHERE company_id = ? AND partition = ? AND day BETWEEN ? AND ?',
    ...ofScope(scope),
    from,
    to,
  );
}

type OutcomeSum = { day: string; outcome: string; settled: number };

/** By day and outcome. */
export function sumOutcomesByDay(db: SqlReader, scope: Scope, { from, to }: DayRange): Promise<OutcomeSum[]> {
  return db.all<OutcomeSum>(
    `SELECT day, outcome, SUM(settled) AS settled FROM usage_outcomes
     WHERE company_id = ? AND partition = ? AND day BETWEEN ? AND ? GROUP BY day, outcome`,
    ...ofScope(scope),
    from,
    to,
  );
}

const PART_COLUMNS = { verification: 'verification_id', group: 'group_id', outcome: 'outcome' } as const;
/** Without a verification for other parts. */
type PartSum = { key: string; settled: number } & (
  | JoinedVerification
  | Record<keyof JoinedVerification, null>
);

/** By verification, group or outcome, highest first. */
export function sumByPart(
  db: SqlReader,
  scope: Scope,
  { from, to }: DayRange,
  part: keyof typeof PART_COLUMNS,
): Promise<PartSum[]> {
  return db.all<PartSum>(
    `SELECT u.key, u.settled, ${JOINED_VERIFICATION}
     FROM (SELECT ${PART_COLUMNS[part]} AS key, SUM(settled) AS settled FROM usage_outcomes
           WHERE company_id = ? AND partition = ? AND day BETWEEN ? AND ? GROUP BY 1) u
     LEFT JOIN verifications v ON v.id = u.key AND v.company_id = ?
     ORDER BY u.settled DESC, u.key`,
    ...ofScope(scope),
    from,
    to,
    scope.companyId,
  );
}

type OutcomeRow = {
  day: string;
  verificationId: string;
  groupId: string;
  outcome: string;
  settled: number;
};

/** Every count of one day, for an export day by day. */
export function listOutcomesOn(db: SqlReader, scope: Scope, day: string): Promise<OutcomeRow[]> {
  return db.all<OutcomeRow>(
    `SELECT day, verification_id AS verificationId, group_id AS groupId, outcome, settled FROM usage_outcomes
     WHERE company_id = ? AND partition = ? AND day = ? ORDER BY verification_id, group_id, outcome`,
    ...ofScope(scope),
    day,
  );
}

/** Passes settled by a check since then: neither declined nor refused because of the cap. */
export async function countChecksSince(db: SqlReader, scope: Scope, since: number): Promise<number> {
  const row = await db.one<{ checks: number }>(
    `SELECT COUNT(*) AS checks FROM passes WHERE company_id = ? AND partition = ? AND settled_at >= ?
       AND declined = 0 AND reasons <> '["usage_cap_exceeded"]'`,
    ...ofScope(scope),
    since,
  );
  return row?.checks ?? 0;
}

type CapChangeRow = {
  seq: number;
  fromLimit: number | null;
  dailyLimit: number;
  changedAt: number;
  changedBy: string;
  operatorName: string | null;
  reason: string | null;
};

/** Newest first. */
export function listCapChanges(
  db: SqlReader,
  companyId: string,
  page: { beforeSeq: number | null; limit: number },
): Promise<CapChangeRow[]> {
  return db.all<CapChangeRow>(
    `SELECT c.seq, c.from_limit AS fromLimit, c.daily_limit AS dailyLimit, c.changed_at AS changedAt,
       c.changed_by AS changedBy, o.name AS operatorName, c.reason
     FROM usage_cap_changes c LEFT JOIN operators o ON c.changed_by = 'operator:' || o.id
     WHERE c.company_id = ? AND c.seq < ? ORDER BY c.seq DESC LIMIT ?`,
    companyId,
    page.beforeSeq ?? Number.MAX_SAFE_INTEGER,
    page.limit,
  );
}

export async function insertCapChange(
  tx: SqlTx,
  companyId: string,
  change: Pick<CapChangeRow, 'fromLimit' | 'dailyLimit' | 'changedAt' | 'changedBy' | 'reason'>,
): Promise<void> {
  await insertRow(tx, 'usage_cap_changes', {
    company_id: companyId,
    from_limit: change.fromLimit,
    daily_limit: change.dailyLimit,
    changed_at: change.changedAt,
    changed_by: change.changedBy,
    reason: change.reason,
  });
}

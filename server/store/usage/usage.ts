import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/**
 * The latest day (YYYY-MM-DD) that the scope has metered, so that setting the clock back cannot reopen an earlier one.
 */
export async function latestMeteredDay(db: SqlReader, scope: Scope): Promise<string | null> {
  const row = await db.one<{ day: string | null }>(
    'SELECT MAX(day) AS day FROM usage_days WHERE company_id = ? AND partition = ?',
    ...ofScope(scope),
  );
  return row?.day ?? null;
}

export async function countSettledOn(db: SqlReader, scope: Scope, day: string): Promise<number> {
  const row = await db.one<{ settled: number }>(
    'SELECT settled FROM usage_days WHERE company_id = ? AND partition = ? AND day = ?',
    ...ofScope(scope),
    day,
  );
  return row?.settled ?? 0;
}

/** Uses one of the day's settlements: its number, or null if the cap is reached. The counter never exceeds the cap. */
export async function claimSettlement(
  tx: SqlTx,
  scope: Scope,
  day: string,
  cap: number,
): Promise<number | null> {
  if (cap <= 0) return null;
  tx.afterCommit('usage', scope.companyId);
  const row = await tx.one<{ settled: number }>(
    `INSERT INTO usage_days (company_id, partition, day, settled) VALUES (?, ?, ?, 1)
     ON CONFLICT (company_id, partition, day) DO UPDATE SET settled = usage_days.settled + 1
       WHERE usage_days.settled < ?
     RETURNING settled`,
    ...ofScope(scope),
    day,
    cap,
  );
  return row?.settled ?? null;
}

/** For the usage page: settlements by verification, group and outcome. */
export async function countOutcome(
  tx: SqlTx,
  scope: Scope,
  counted: { day: string; verificationId: string; group: string | null; outcome: string },
): Promise<void> {
  await tx.run(
    `INSERT INTO usage_outcomes (company_id, partition, day, verification_id, group_id, outcome, settled)
     VALUES (?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT (company_id, partition, day, verification_id, group_id, outcome)
       DO UPDATE SET settled = usage_outcomes.settled + 1`,
    ...ofScope(scope),
    counted.day,
    counted.verificationId,
    counted.group ?? '',
    counted.outcome,
  );
}

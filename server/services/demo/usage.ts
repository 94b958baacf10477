/** The demo's daily counts, added up from its timeline as settling would have counted them. */
import type { Scope } from '../../domain/scope.ts';
import { utcDay } from '../../domain/days.ts';
import { insertUsage, insertUsageDay } from '../../store/demo/demo.ts';
import type { SqlTx } from '../../store/sql/port.ts';

export type Counted = { at: number; verificationId: string; group: string; outcome: string };

/** Outcomes without a check. */
const NOT_METERED = 'declined';

export async function writeUsage(tx: SqlTx, scope: Scope, counted: readonly Counted[]): Promise<void> {
  const outcomes = new Map<string, { day: string; count: Counted; settled: number }>();
  const days = new Map<string, number>();
  for (const count of counted) {
    const day = utcDay(count.at);
    const name = JSON.stringify([day, count.verificationId, count.group, count.outcome]);
    const found = outcomes.get(name) ?? { day, count, settled: 0 };
    outcomes.set(name, { ...found, settled: found.settled + 1 });
    if (count.outcome !== NOT_METERED) days.set(day, (days.get(day) ?? 0) + 1);
  }
  for (const { day, count, settled } of outcomes.values()) {
    const { verificationId, group, outcome } = count;
    await insertUsage(tx, scope, { day, verificationId, group, outcome, settled });
  }
  for (const [day, settled] of days) await insertUsageDay(tx, scope, day, settled);
}

/** Usage as a file: one line per day, verification, group and outcome. */
import type { Actor } from '../../domain/operators/actor.ts';
import { csvLine } from '../../domain/csv.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { type DayRange, listOutcomesOn } from '../../store/usage/report.ts';
import type { Ports } from '../ports.ts';
import { daysOf } from './usage.ts';

const HEAD = ['day', 'partition', 'verification_id', 'group', 'outcome', 'results'];

/** Lines of CSV, read a day at a time. Records the export first. */
export async function* exportUsage(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  scope: Scope,
  range: DayRange,
  actor: Actor,
): AsyncGenerator<string> {
  await db.tx((tx) =>
    appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'usage.export',
      ...scope,
      subject: scope.companyId,
      details: { ...range },
    }),
  );
  yield csvLine(HEAD);
  for (const day of daysOf(range)) {
    for (const row of await listOutcomesOn(db, scope, day)) {
      yield csvLine([row.day, scope.partition, row.verificationId, row.groupId, row.outcome, row.settled]);
    }
  }
}

/**
 * Usage as a file: one line per day, verification, group and outcome. The outcome is in the words of the usage page, and
 * beside it under its name in the contract.
 */
import { messagesOf } from '../../../locales/node.ts';
import type { Language } from '../../contract/languages.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { csvHead, csvLine } from '../../domain/csv.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { type DayRange, listOutcomesOn } from '../../store/usage/report.ts';
import type { Ports } from '../ports/ports.ts';
import { daysOf } from './usage.ts';

/** Lines of CSV, read a day at a time. Records the export first. */
export async function* exportUsage(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  scope: Scope,
  range: DayRange,
  { actor, language }: { actor: Actor; language: Language },
): AsyncGenerator<string> {
  await db.tx((tx) =>
    appendAudit(tx, {
      ...scope,
      at: clock.now(),
      actor,
      action: 'usage.export',
      subject: scope.companyId,
      details: { ...range },
    }),
  );
  const words = messagesOf('usage', language);
  const { scope: data } = messagesOf('console', language);
  const { names, reasons } = messagesOf('outcomes', language);
  const outcomes: Readonly<Record<string, string>> = { ...reasons, ...names, ...words.outcomes };
  yield csvHead([
    words.day,
    data.partition,
    'verification_id',
    words.byPart.group,
    words.byPart.outcome,
    'outcome',
    words.results,
  ]);
  for (const day of daysOf(range)) {
    for (const row of await listOutcomesOn(db, scope, day)) {
      yield csvLine([
        row.day,
        data[scope.partition],
        row.verificationId,
        row.groupId,
        outcomes[row.outcome] ?? row.outcome,
        row.outcome,
        row.settled,
      ]);
    }
  }
}

/** What the organiser says about an event's tickets: who may come back, how many are inside, how long names are kept. */
import type { TicketRulesChange } from '../../contract/console/door-team.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import type { TicketRules } from '../../domain/tickets/ticket.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findTicketRules, saveTicketRules } from '../../store/tickets/rules.ts';
import type { Ports } from '../ports/ports.ts';
import { requireEvent } from '../venue/events.ts';
import { changedNames, mergeChange, versionOf } from '../wire/versions.ts';

const fieldsOf = ({ reEntry, mostInside, keepDays }: TicketRules) => ({
  ...{ re_entry: reEntry, most_inside: mostInside, keep_days: keepDays },
});

/** Of the form that changes them. */
export const rulesVersion = (rules: TicketRules): string => versionOf(fieldsOf(rules));

/** @throws Refusal `not_found`, `changed_meanwhile` */
export async function changeTicketRules(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  scope: Scope,
  { eventId, change, actor }: { eventId: string; change: TicketRulesChange; actor: Actor },
): Promise<void> {
  const { version, ...sent } = change;
  await db.tx(async (tx) => {
    const at = clock.now();
    await requireEvent(tx, scope, eventId);
    const before = await findTicketRules(tx, scope, eventId);
    const current = fieldsOf(before);
    const log = { subject: eventId, companyId: scope.companyId, actions: ['ticket_rules.change'] } as const;
    const next = { ...current, ...(await mergeChange(tx, { version, current, sent, log })) };
    const rules = { reEntry: next.re_entry, mostInside: next.most_inside, keepDays: next.keep_days };
    await saveTicketRules(tx, scope, { eventId, rules, at });
    const details = { ...next, changed: changedNames(current, next) };
    await appendAudit(tx, { ...scope, at, actor, subject: eventId, action: 'ticket_rules.change', details });
    tx.afterCommit('venue', scope.companyId);
  }, scope);
}

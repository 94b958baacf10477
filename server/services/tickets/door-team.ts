/** What the Door page shows of an event's tickets: the codes of its phones, who calls, who is inside. */
import type { DoorTeam, TicketRulesChange } from '../../contract/console/door-team.ts';
import { isLoopbackUrl } from '../../domain/address.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import type { TicketRules } from '../../domain/tickets/ticket.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findTicketRules, saveTicketRules } from '../../store/tickets/rules.ts';
import { listCalls } from '../../store/tickets/shifts.ts';
import { hasSources } from '../../store/tickets/sources.ts';
import type { Ports } from '../ports/ports.ts';
import { requireEvent } from '../venue/events.ts';
import { iso } from '../wire/values.ts';
import { changedNames, mergeChange, versionOf } from '../wire/versions.ts';
import type { Deps } from './admit.ts';
import { readTicketCounts } from './counts.ts';
import { readShifts } from './shifts.ts';

/** @throws Refusal `not_found` */
export async function readDoorTeam(
  deps: Deps & Pick<Ports, 'baseUrl'>,
  scope: Scope,
  { eventId, showsCodes }: { eventId: string; showsCodes: boolean },
): Promise<DoorTeam> {
  const { db, clock, baseUrl } = deps;
  await requireEvent(db, scope, eventId);
  const calls = await listCalls(db, scope, { eventId, now: clock.now() });
  const shifts = await readShifts(deps, scope, eventId);
  const rules = await findTicketRules(db, scope, eventId);
  return {
    takes_tickets: await hasSources(db, scope, eventId),
    is_local_only: isLoopbackUrl(baseUrl()),
    re_entry: rules.reEntry,
    version: versionOf(fieldsOf(rules)),
    counts: await readTicketCounts(deps, scope, eventId),
    calls: calls.map(({ name, at }) => ({ name, at: iso(at) })),
    shifts: shifts.map(({ id, role, phones, createdAt, endsAt, code }) => ({
      shift_id: id,
      role,
      phones,
      created_at: iso(createdAt),
      ends_at: iso(endsAt),
      code: showsCodes ? code : null,
      // In the fragment, which no request contains.
      join_url: showsCodes ? `${baseUrl()}/scan#code=${code}` : null,
    })),
  };
}

const fieldsOf = ({ reEntry, mostInside }: TicketRules) => ({ re_entry: reEntry, most_inside: mostInside });

/** @throws Refusal `not_found`, `changed_meanwhile` */
export async function changeTicketRules(
  { db, clock }: Deps,
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
    const rules = { ...before, reEntry: next.re_entry, mostInside: next.most_inside };
    await saveTicketRules(tx, scope, { eventId, rules, at });
    const details = { ...next, changed: changedNames(current, next) };
    await appendAudit(tx, { ...scope, at, actor, subject: eventId, action: 'ticket_rules.change', details });
    tx.afterCommit('venue', scope.companyId);
  }, scope);
}

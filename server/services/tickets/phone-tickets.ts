/** What the door team does at a phone. Every act is audited with the name of who did it. */
import { phoneActor } from '../../domain/operators/actor.ts';
import type { AuditAction } from '../../contract/console/audit.ts';
import {
  MAX_FOUND,
  type PhoneChildrenResponse,
  type PhoneLetInRequest,
  type PhoneScanRequest,
  type PhoneSearchResponse,
  type TicketDecision,
} from '../../contract/tickets.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findEntry, undoEntry } from '../../store/tickets/entries.ts';
import type { PhoneOnDuty } from '../../store/tickets/shifts.ts';
import { findTicket, searchTickets, type Ticket } from '../../store/tickets/tickets.ts';
import { findEvent } from '../../store/venue/events.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import type { KeepReply } from '../keys/idempotency.ts';
import { answer, type Deps, findShown, pass, tell } from './admit.ts';
import { ticketHasher } from './codes.ts';
import { decisionOf, findById, judge, type Place, toDoorTicket, UNDO_MS } from './facts.ts';

async function placeOf({ db }: Deps, phone: PhoneOnDuty, direction: Place['direction']): Promise<Place> {
  const event = await findEvent(db, phone, phone.eventId);
  if (event === undefined) throw notFound();
  return { event, gate: { id: phone.id, name: phone.name }, direction, isLane: true };
}

const record = (
  tx: SqlTx,
  { id, name, companyId, partition, eventId }: PhoneOnDuty,
  act: { at: number; action: AuditAction; details?: Record<string, unknown> },
): Promise<void> =>
  appendAudit(tx, {
    companyId,
    partition,
    actor: phoneActor(id),
    subject: eventId,
    at: act.at,
    action: act.action,
    details: { name, ...act.details },
  });

/**
 * A scan: a guest who was checked before may enter once, and one who is inside may leave. The others get a verdict.
 * @param keep keeps the reply for a phone that did not get it and asks again
 * @throws Refusal `supervisor_required` for a way out
 */
export async function scanAtPhone(
  deps: Deps,
  phone: PhoneOnDuty,
  { text, ticket_id: ticketId, direction }: PhoneScanRequest,
  keep: KeepReply<TicketDecision> | null = null,
): Promise<TicketDecision> {
  if (direction === 'out') requireSupervisor(phone);
  const place = await placeOf(deps, phone, direction);
  const hash = await ticketHasher(deps);
  return deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const shown = ticketId === undefined ? { text: text ?? '' } : { ticketId };
    const found = await findShown(tx, place, hash, { shown, at });
    const judged = await judge(tx, place, found, { personId: null, isPartyAsked: true, now: at });
    const decide = async () => {
      if (judged.admission.verdict !== 'admit') return answer(tx, place, judged, at);
      const by = { personId: null, sessionId: null, reason: null };
      const seq = await pass(tx, place, judged.ticket, {
        at,
        actor: phoneActor(phone.id),
        how: 'lane',
        ...by,
      });
      const action = direction === 'in' ? 'ticket.admit' : 'ticket.leave';
      await record(tx, phone, { at, action, details: { ticket_id: judged.ticket?.id } });
      return decisionOf(place, judged, { seq, at });
    };
    const decision = await decide();
    await keep?.(tx, decision, phone.id);
    return decision;
  }, place.event.scope);
}

/**
 * A supervisor's word instead of a check, whatever the ticket's state; not for a guest who is inside.
 * @throws Refusal `supervisor_required`, `not_found`, `not_admitted`
 */
export async function letInAtPhone(
  deps: Deps,
  phone: PhoneOnDuty,
  { ticket_id: ticketId, reason }: PhoneLetInRequest,
  keep: KeepReply<TicketDecision> | null = null,
): Promise<TicketDecision> {
  requireSupervisor(phone);
  const place = await placeOf(deps, phone, 'in');
  return deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const found = await findById(tx, place, ticketId);
    if (found.ticket === null) throw notFound();
    const judged = await judge(tx, place, found, { personId: null, isPartyAsked: true, now: at });
    if (judged.last?.direction === 'in') throw new Refusal('not_admitted');
    const seq = await letIn(tx, place, phone, { ticket: found.ticket, reason, at });
    await record(tx, phone, { at, action: 'ticket.let_in', details: { ticket_id: ticketId, reason } });
    const decision = decisionOf(place, { ...judged, admission: { verdict: 'admit' } }, { seq, at });
    await keep?.(tx, decision, phone.id);
    return decision;
  }, place.event.scope);
}

const letIn = (
  tx: SqlTx,
  place: Place,
  phone: PhoneOnDuty,
  { ticket, reason, at }: { ticket: Ticket; reason: string | null; at: number },
): Promise<number> =>
  pass(tx, place, ticket, {
    at,
    actor: phoneActor(phone.id),
    how: 'staff',
    personId: null,
    sessionId: null,
    reason,
  });

/**
 * Children by staff's tap: valid tickets of one order, somebody of which is inside.
 * @throws Refusal `not_admitted` if one of them can't be let in; then none is
 */
export async function letChildrenIn(
  deps: Deps,
  phone: PhoneOnDuty,
  ticketIds: readonly string[],
  keep: KeepReply<PhoneChildrenResponse> | null = null,
): Promise<PhoneChildrenResponse> {
  const place = await placeOf(deps, phone, 'in');
  const wanted = [...new Set(ticketIds)];
  const reply = { let_in: wanted.length };
  await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const given = { personId: null, isPartyAsked: true, now: at };
    let order: string | null = null;
    for (const id of wanted) {
      const judged = await judge(tx, place, await findById(tx, place, id), given);
      const { ticket, party } = judged;
      order ??= ticket?.party ?? null;
      const isOfOrder = ticket !== null && order !== null && ticket.party === order;
      const comesWith = party.some((other) => other.is_inside);
      if (!isOfOrder || !comesWith || judged.admission.verdict !== 'check') throw new Refusal('not_admitted');
      await letIn(tx, place, phone, { ticket, reason: null, at });
    }
    await record(tx, phone, { at, action: 'ticket.children', details: { count: wanted.length } });
    await keep?.(tx, reply, phone.id);
  }, place.event.scope);
  return reply;
}

/** Takes back an entry of this event. @throws Refusal `supervisor_required`, `not_found`, `undo_too_late` */
export async function undoAtPhone(deps: Deps, phone: PhoneOnDuty, seq: number): Promise<void> {
  requireSupervisor(phone);
  const place = await placeOf(deps, phone, 'in');
  const { scope } = place.event;
  await deps.db.tx(async (tx) => {
    const at = deps.clock.now();
    const entry = await findEntry(tx, scope, seq);
    if (entry?.eventId !== phone.eventId) throw notFound();
    if (Math.abs(at - entry.at) > UNDO_MS) throw new Refusal('undo_too_late');
    if ((await undoEntry(tx, scope, seq, at)) === 0) return;
    const ticket = entry.ticketId === null ? undefined : await findTicket(tx, scope, entry.ticketId);
    if (ticket) await tell(tx, place, ticket, { seq, kind: 'undo', at });
    await record(tx, phone, { at, action: 'ticket.undo', details: { ticket_id: entry.ticketId } });
  }, scope);
}

/** Tickets by a part of the name: the first few, never the list. @throws Refusal `supervisor_required` */
export async function searchAtPhone(
  deps: Deps,
  phone: PhoneOnDuty,
  text: string,
): Promise<PhoneSearchResponse> {
  requireSupervisor(phone);
  const place = await placeOf(deps, phone, 'in');
  const found = await searchTickets(deps.db, place.event.scope, {
    eventId: phone.eventId,
    text,
    limit: MAX_FOUND + 1,
  });
  const items = [];
  for (const ticket of found.slice(0, MAX_FOUND)) items.push(await toDoorTicket(deps.db, place, ticket));
  return { items, has_more: found.length > MAX_FOUND };
}

function requireSupervisor({ role }: PhoneOnDuty): void {
  if (role !== 'supervisor') throw new Refusal('supervisor_required');
}

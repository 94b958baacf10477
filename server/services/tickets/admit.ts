/** The one arbiter of all gates: whatever lets somebody in or out is decided and written in one transaction. */
import { randomBytes } from 'node:crypto';
import type { Actor } from '../../domain/operators/actor.ts';
import { PRETIX_REFUSALS } from '../../domain/tickets/answers.ts';
import { type EntryWay, keepsCodes } from '../../domain/tickets/ticket.ts';
import type { TicketDecision } from '../../contract/tickets.ts';
import { insertTicketCall } from '../../store/tickets/calls.ts';
import { countRefusal, findEntryOfRun, findTicketOfRun, insertEntry } from '../../store/tickets/entries.ts';
import { queueBadge } from '../../store/tickets/badges.ts';
import { insertRefusedScan } from '../../store/tickets/refused-scans.ts';
import { findSource } from '../../store/tickets/sources.ts';
import { bindTicket, findTicketOfPerson, type Ticket } from '../../store/tickets/tickets.ts';
import { findPass } from '../../store/passes/passes.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { newId } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { HashCode } from '../../domain/tickets/code-hash.ts';
import { ticketHasher } from './codes.ts';
import { decisionOf, findByCode, findById, type Found, judge, type Judged, type Place } from './facts.ts';
import { ticketOfAnyCode } from './any-code.ts';

export type Deps = Pick<Ports, 'db' | 'clock'>;

/** What the gate was shown: a code, or a ticket that it knows. */
export type Shown = { text: string } | { ticketId: string };

/** A code of no ticket becomes one, if a source of the event takes it. */
export async function findShown(
  tx: SqlTx,
  place: Place,
  hash: HashCode,
  { shown, at }: { shown: Shown; at: number },
): Promise<Found> {
  if ('ticketId' in shown) return findById(tx, place, shown.ticketId);
  const found = await findByCode(tx, place, hash, shown.text);
  if (found.ticket || found.otherEvent !== null) return found;
  return { ticket: await ticketOfAnyCode(tx, place, hash, shown.text, at), otherEvent: null };
}

type Passing = {
  at: number;
  actor: Actor;
  how: EntryWay;
  personId: string | null;
  sessionId: string | null;
  reason: string | null;
};

/** Writes the entry with all that follows from it. The transaction holds the company's lock. @returns its number */
export async function pass(tx: SqlTx, place: Place, ticket: Ticket | null, by: Passing): Promise<number> {
  const { event, gate, direction } = place;
  const { scope } = event;
  const personId = by.personId ?? ticket?.personId ?? null;
  const seq = await insertEntry(tx, scope, {
    eventId: event.id,
    ticketId: ticket?.id ?? null,
    personId,
    sessionId: by.sessionId,
    gate: gate.id,
    gateName: gate.name,
    direction,
    people: 1,
    at: by.at,
    actor: by.actor,
    how: by.how,
    reason: by.reason,
  });
  if (ticket === null) return seq;
  if (by.personId !== null) await bindTicket(tx, scope, { id: ticket.id, personId: by.personId, at: by.at });
  await tell(tx, place, ticket, { seq, kind: direction, at: by.at });
  // Only kiosks have printers.
  if (event.badge !== null && direction === 'in' && !place.isLane) {
    const of = { eventId: event.id, ticketId: ticket.id, entrySeq: seq, kioskId: gate.id };
    await queueBadge(tx, scope, { ...of, id: newId(by.at), at: by.at });
  }
  return seq;
}

/** 130 random bits, as pretix wants of a nonce. */
const NONCE_BYTES = 17;
const newNonce = () => randomBytes(NONCE_BYTES).toString('base64url');

/** Queues what the ticket's own system has to know. Only those that take it keep the code. */
export async function tell(
  tx: SqlTx,
  { event }: Pick<Place, 'event'>,
  ticket: Ticket,
  entry: { seq: number; kind: 'in' | 'out' | 'undo'; at: number },
): Promise<void> {
  const source = await findSource(tx, event.scope, ticket.sourceId);
  if (source === undefined || !keepsCodes(source.kind)) return;
  await insertTicketCall(tx, event.scope, {
    eventId: event.id,
    sourceId: source.id,
    ticketId: ticket.id,
    entrySeq: entry.seq,
    kind: entry.kind,
    nonce: newNonce(),
    at: entry.at,
  });
}

/** Counts it if it lets nobody in. pretix is told as well, as its own scanners tell it. */
export async function answer(tx: SqlTx, place: Place, judged: Judged, at: number): Promise<TicketDecision> {
  const { admission, ticket } = judged;
  const { scope } = place.event;
  if ('why' in admission && place.direction === 'in') {
    const { why: reason } = admission;
    await countRefusal(tx, scope, { eventId: place.event.id, gate: place.gate, reason, at });
    const told = admission.verdict === 'refuse' ? PRETIX_REFUSALS[reason] : undefined;
    if (ticket !== null && told !== undefined)
      await insertRefusedScan(tx, scope, { ticketId: ticket.id, reason: told, nonce: newNonce(), at });
  }
  return decisionOf(place, judged);
}

/**
 * Lets the guest of a run in or out, who passed. Repeating it changes nothing.
 * @param text the code, if the guest had to show it afterwards
 * @throws Refusal `wrong_step` if the guest has not passed
 */
export async function admitGuest(
  deps: Deps,
  place: Place,
  { session, text, actor }: { session: Session; text?: string | undefined; actor: Actor },
): Promise<TicketDecision> {
  const hash = await ticketHasher(deps);
  const { scope } = place.event;
  return deps.db.tx(async (tx) => {
    const now = deps.clock.now();
    const personId = await whoPassed(tx, session);
    const before = await findEntryOfRun(tx, scope, session.id, place.direction);
    const found = before
      ? before.ticketId === null
        ? null
        : await findById(tx, place, before.ticketId)
      : await ticketOf(tx, place, hash, { session, text, personId, now });
    if (found === null) return { ...decisionOf(place, nothingShown()), verdict: 'ask_ticket' };
    const judged = await judge(tx, place, found, { personId, isPartyAsked: true, now });
    if (before) return decisionOf(place, { ...judged, admission: { verdict: 'admit' } }, before);
    if (judged.admission.verdict !== 'admit') return answer(tx, place, judged, now);
    const run = await findTicketOfRun(tx, scope, session.id);
    const how = run?.isFastLane === true ? 'fast_lane' : 'check';
    const by = { at: now, actor, how, personId, sessionId: session.id, reason: null } as const;
    const seq = await pass(tx, place, judged.ticket, by);
    return decisionOf(place, judged, { seq, at: now });
  }, scope);
}

const nothingShown = (): Judged => ({
  admission: { verdict: 'check' },
  ticket: null,
  last: null,
  party: [],
  otherEvent: null,
});

async function whoPassed(tx: SqlTx, { scope, passId }: Session): Promise<string> {
  const passed = passId === null ? undefined : await findPass(tx, scope, passId);
  if (passed?.status !== 'approved' || passed.lockedAt !== null || passed.revokedAt !== null)
    throw new Refusal('wrong_step');
  if (passed.personId === null) throw new Refusal('wrong_step');
  return passed.personId;
}

/** The ticket that was shown, before or after the check or by the organiser, else the one that the face came with. */
async function ticketOf(
  tx: SqlTx,
  place: Place,
  hash: HashCode,
  {
    session,
    text,
    personId,
    now,
  }: { session: Session; text: string | undefined; personId: string; now: number },
): Promise<Found | null> {
  const { event } = place;
  const shownBefore = await findTicketOfRun(tx, event.scope, session.id);
  if (shownBefore !== undefined) return findById(tx, place, shownBefore.ticketId);
  if (text !== undefined) return findShown(tx, place, hash, { shown: { text }, at: now });
  const { externalId } = session.request;
  const named = externalId === null ? null : await findByCode(tx, place, hash, externalId);
  if (named?.ticket) return named;
  const own = await findTicketOfPerson(tx, event.scope, event.id, personId);
  return own ? { ticket: own, otherEvent: null } : null;
}

/** Gathers what the rule of admission decides by, and says what it decided. */
import { type Admission, admit } from '../../domain/tickets/admit.ts';
import { type Direction, readCode } from '../../domain/tickets/ticket.ts';
import { MAX_PARTY } from '../../contract/ticket-values.ts';
import type { DoorTicket, TicketDecision } from '../../contract/tickets.ts';
import { type Entry, findLastEntry, type Gate } from '../../store/tickets/entries.ts';
import { findTicketRules } from '../../store/tickets/rules.ts';
import {
  findOtherEventOfCode,
  findTicket,
  findTicketByCode,
  findTicketOfPerson,
  listParty,
  type Ticket,
} from '../../store/tickets/tickets.ts';
import type { VenueEvent } from '../../store/venue/events.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { iso, isoOrNull } from '../wire/values.ts';
import type { HashCode } from '../../domain/tickets/code-hash.ts';

/** Where somebody stands, and who acts there. */
export type Place = {
  event: VenueEvent;
  gate: Gate;
  direction: Direction;
  /** Checks no faces. */
  isLane: boolean;
};

export type Found = { ticket: Ticket | null; otherEvent: string | null };

/** For as long as staff may take back an entry. */
export const UNDO_MS = 15_000;

/** @param code as a scanner read it */
export async function findByCode(
  db: SqlReader,
  { event }: Place,
  hash: HashCode,
  code: string,
): Promise<Found> {
  const codeHash = hash(readCode(code));
  const ticket = await findTicketByCode(db, event.scope, event.id, codeHash);
  if (ticket) return { ticket, otherEvent: null };
  return {
    ticket: null,
    otherEvent: (await findOtherEventOfCode(db, event.scope, event.id, codeHash)) ?? null,
  };
}

/** A ticket of another event is not found. */
export async function findById(db: SqlReader, { event }: Place, id: string): Promise<Found> {
  const ticket = await findTicket(db, event.scope, id);
  return { ticket: ticket?.eventId === event.id ? ticket : null, otherEvent: null };
}

export type Judged = {
  admission: Admission;
  ticket: Ticket | null;
  last: Entry | null;
  party: DoorTicket[];
  otherEvent: string | null;
};

/**
 * @param personId who just passed the check; null before
 * @param isPartyAsked somebody said who of the order is here
 */
export async function judge(
  db: SqlReader,
  place: Place,
  { ticket, otherEvent }: Found,
  given: { personId: string | null; isPartyAsked: boolean; now: number },
): Promise<Judged> {
  const { event, direction, isLane } = place;
  const { personId, now } = given;
  const rules = await findTicketRules(db, event.scope, event.id);
  const last = ticket ? ((await findLastEntry(db, event.scope, ticket.id)) ?? null) : null;
  const order = ticket?.party ?? null;
  const party = order === null ? [] : await partyOf(db, place, order);
  const own = personId === null ? undefined : await findTicketOfPerson(db, event.scope, event.id, personId);
  const admission = admit({
    now,
    direction,
    ticket: ticket && { ...ticket, last: last?.direction ?? null },
    isOfOtherEvent: otherEvent !== null,
    person: personId === null ? null : { id: personId, ticketId: own?.id ?? null },
    isLane,
    partyWaiting: given.isPartyAsked
      ? 0
      : party.filter(({ ticket_id, is_inside }) => ticket_id !== ticket?.id && !is_inside).length,
    reEntry: rules.reEntry,
  });
  return { admission, ticket, last, party, otherEvent };
}

async function partyOf(db: SqlReader, { event }: Place, party: string): Promise<DoorTicket[]> {
  const tickets = await listParty(db, event.scope, { eventId: event.id, party, limit: MAX_PARTY });
  if (tickets.length < 2) return [];
  const shown: DoorTicket[] = [];
  for (const ticket of tickets) shown.push(await toDoorTicket(db, { event }, ticket));
  return shown.filter((_, index) => tickets[index]?.state === 'valid');
}

export async function toDoorTicket(
  db: SqlReader,
  { event }: Pick<Place, 'event'>,
  ticket: Ticket,
): Promise<DoorTicket> {
  const last = await findLastEntry(db, event.scope, ticket.id);
  return {
    ticket_id: ticket.id,
    name: ticket.name,
    kind: ticket.kind,
    is_inside: last?.direction === 'in',
  };
}

/** @param entry that was just written */
export function decisionOf(
  { direction }: Pick<Place, 'direction'>,
  { admission, ticket, last, party, otherEvent }: Judged,
  entry: { seq: number; at: number } | null = null,
): TicketDecision {
  return {
    verdict: admission.verdict,
    why: 'why' in admission ? admission.why : null,
    direction,
    ticket: ticket && {
      ticket_id: ticket.id,
      name: ticket.name,
      kind: ticket.kind,
      is_inside: entry === null ? last?.direction === 'in' : direction === 'in',
    },
    note: ticket?.note ?? null,
    party,
    last_at: last && iso(last.at),
    last_gate: last?.gateName ?? null,
    valid_from: isoOrNull(ticket?.validFrom ?? null),
    valid_until: isoOrNull(ticket?.validUntil ?? null),
    other_event: otherEvent,
    entry: entry?.seq ?? null,
    undo_until: entry && iso(entry.at + UNDO_MS),
  };
}

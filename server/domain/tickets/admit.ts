/** Whether a ticket lets its guest in or out: the one rule of all gates. */
import type { AdmitReason, Direction, TicketState } from '../../contract/ticket-values.ts';

export type AdmitFacts = {
  now: number;
  direction: Direction;
  /** Null for a code that the event doesn't know. */
  ticket: {
    id: string;
    state: TicketState;
    validFrom: number | null;
    validUntil: number | null;
    rulesUnknown: boolean;
    /** Who came with it. */
    personId: string | null;
    /** Its guest's last way through a gate that was not undone. */
    last: Direction | null;
  } | null;
  /** Another event of the organiser knows the code. */
  isOfOtherEvent: boolean;
  /** Who just passed the check; null before. */
  person: { id: string; /** With which they came to this event before. */ ticketId: string | null } | null;
  /** A gate that checks no faces: a guest who was checked before may enter there, once, and leave. */
  isLane: boolean;
  /** Tickets of the same order whose guests have not come, as long as nobody has said who is here. */
  partyWaiting: number;
  reEntry: boolean;
};

export type Admission =
  | { verdict: 'admit' }
  /** The ticket is good; now its guest's face. */
  | { verdict: 'check' }
  | { verdict: 'ask_party' }
  | { verdict: 'ask_staff' | 'refuse'; why: AdmitReason };

const refuse = (why: AdmitReason): Admission => ({ verdict: 'refuse', why });
const askStaff = (why: AdmitReason): Admission => ({ verdict: 'ask_staff', why });

export function admit(facts: AdmitFacts): Admission {
  const { ticket, person, now } = facts;
  if (ticket === null) return refuse(facts.isOfOtherEvent ? 'wrong_event' : 'unknown');
  // A guest who is inside may leave, whatever became of the ticket. Where faces are checked, nobody leaves in another's name.
  if (facts.direction === 'out') {
    if (ticket.last !== 'in') return askStaff('not_inside');
    if (facts.isLane) return { verdict: 'admit' };
    if (person === null) return { verdict: 'check' };
    return ticket.personId === person.id ? { verdict: 'admit' } : askStaff('other_face');
  }
  if (ticket.state === 'unpaid') return askStaff('unpaid');
  if (ticket.state !== 'valid') return refuse(ticket.state);
  if (ticket.validFrom !== null && now < ticket.validFrom) return refuse('too_early');
  if (ticket.validUntil !== null && now >= ticket.validUntil) return refuse('too_late');
  if (ticket.rulesUnknown) return askStaff('rules_unknown');
  if (person !== null && ticket.personId !== null && ticket.personId !== person.id)
    return askStaff('other_face');
  if (person !== null && person.ticketId !== null && person.ticketId !== ticket.id)
    return askStaff('other_ticket');
  // The same face may have left without a scan; anybody else has a copy.
  if (ticket.last === 'in') return person === null ? refuse('already_in') : askStaff('already_in');
  if (ticket.last === 'out' && !facts.reEntry) return refuse('already_in');
  if (person !== null) return { verdict: 'admit' };
  if (facts.isLane && ticket.personId !== null && ticket.last === null) return { verdict: 'admit' };
  return facts.partyWaiting > 0 ? { verdict: 'ask_party' } : { verdict: 'check' };
}

/** The check that a ticket's guest makes before they come, by the ticket's own link. */
import type { HomeTicketRequest, HomeTicketResponse } from '../../contract/tickets.ts';
import { resolveConfig } from '../../domain/companies/verification-config.ts';
import { EMPTY_REQUEST } from '../../domain/runs/session-request.ts';
import { placeOf } from '../../domain/address.ts';
import { checkAtHome } from '../../domain/tickets/at-home.ts';
import { readCode } from '../../domain/tickets/ticket.ts';
import { homeGroupOf } from '../../domain/venue/event.ts';
import { findVerification, type Verification } from '../../store/companies/verifications.ts';
import { findLastEntry, findUntouchedRunOfTicket, saveTicketRun } from '../../store/tickets/entries.ts';
import { findTicketRules } from '../../store/tickets/rules.ts';
import { deleteUnusedTickets, findTicketByCode, type Ticket } from '../../store/tickets/tickets.ts';
import { findEventAnywhere, type VenueEvent } from '../../store/venue/events.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { ticketKeyOf } from '../matching/sealed-faces.ts';
import { countOrWait, limited } from '../rate-limits/rate-limits.ts';
import { openSession } from '../runs/flow.ts';
import { newSession } from '../runs/sessions/sessions.ts';
import type { SnapshotDeps } from '../runs/sessions/session-view.ts';
import { insertBounded } from '../runs/sessions/unopened.ts';
import { ticketOfAnyCode } from './any-code.ts';
import type { HashCode } from '../../domain/tickets/code-hash.ts';
import { ticketHasher } from './codes.ts';

/** Codes tried from one address, known or not: homes share an address, and so does an office. */
export const HOME_CODES = { limit: 120, windowMs: 3_600_000 };
/** A mailing to a large venue's guests fits. */
const ALTOGETHER = limited('home-codes-altogether', 'all', { limit: 30_000, windowMs: 3_600_000 });

/**
 * Begins the check at home of the code's ticket, or continues the one that nobody has acted in. A code that nobody knows costs the
 * caller as much as one that counts, and an event that nobody knows is answered as such a code. At an event that seals faces, the
 * run is opened for the page at once, because only this call has the code.
 * @param address of the caller
 * @throws Refusal `too_many_sessions`
 */
export async function openAtHome(
  deps: SnapshotDeps,
  { event_id: eventId, code, device }: HomeTicketRequest,
  address: string,
): Promise<HomeTicketResponse> {
  const { db, clock } = deps;
  const ofAddress = limited('home-codes', placeOf(address), HOME_CODES);
  const waitMs = await countOrWait(db, [ALTOGETHER, ofAddress], clock.now());
  if (waitMs !== null) throw new Refusal('too_many_sessions', { retryAfterS: waitMs / 1_000 });
  const hash = await ticketHasher(deps);
  const event = await findEventAnywhere(db, eventId.toLowerCase());
  if (event === undefined) return { answer: 'unknown', ...NO_CHECK };
  const { answer, sessionId, ticket } = await db.tx(async (tx) => {
    const now = clock.now();
    const verification = await findVerification(tx, event.scope.companyId, event.verificationId);
    const ticket = await ticketOf(tx, event, hash, { code, now });
    const answer = await answerOf(tx, event, verification, { ticket, now });
    if (answer !== 'check' || ticket === null || !verification) return { answer, sessionId: null };
    const begun = await findUntouchedRunOfTicket(tx, event.scope, { ticketId: ticket.id, now });
    return { answer, ticket, sessionId: begun ?? (await begin(tx, event, { ticket, verification, now })) };
  }, event.scope);
  if (sessionId === null) return { answer, ...NO_CHECK };
  if (event.faces !== 'ticket' || device === undefined)
    return { answer, session_id: sessionId, flow_token: null };
  // The page of the check does not know the code, so the run is opened here, with the key in its token.
  const opened = await openSession(deps, sessionId, { device }, null, ticketKeyOf(code, ticket.id));
  return { answer, session_id: sessionId, flow_token: opened.flow_token };
}

const NO_CHECK = { session_id: null, flow_token: null } as const;

/** A source that takes any code takes it here as well, until the event ends. */
async function ticketOf(
  tx: SqlTx,
  event: VenueEvent,
  hash: HashCode,
  { code, now }: { code: string; now: number },
): Promise<Ticket | null> {
  const known = await findTicketByCode(tx, event.scope, event.id, hash(readCode(code)));
  if (known || now >= event.endsAt) return known ?? null;
  // Anybody can try codes, so those that led to nothing make room for the next: there are no more of them than open sessions.
  await deleteUnusedTickets(tx, event.scope, { eventId: event.id, now });
  return ticketOfAnyCode(tx, { event }, hash, code, now);
}

async function answerOf(
  db: SqlReader,
  { scope, id, endsAt }: VenueEvent,
  verification: Verification | undefined,
  { ticket, now }: { ticket: Ticket | null; now: number },
) {
  const { reEntry } = await findTicketRules(db, scope, id);
  const last = ticket && ((await findLastEntry(db, scope, ticket.id))?.direction ?? null);
  const { captureTrust } = resolveConfig(verification?.config ?? {}, 'v3');
  return checkAtHome({
    ...{ now, endsAt, reEntry, isOnlyAtDoor: captureTrust === 'kiosk' },
    ticket: ticket && { ...ticket, last },
  });
}

async function begin(
  tx: SqlTx,
  { scope, group }: VenueEvent,
  { ticket, verification, now }: { ticket: Ticket; verification: Verification; now: number },
): Promise<string> {
  const session = newSession({
    scope,
    ...{ keyId: null, inviteId: null, verificationId: verification.id, now, isUnopened: true },
    request: {
      ...EMPTY_REQUEST,
      group: homeGroupOf(group),
      // A second ticket needs a check of its own, which says that the guest has one.
      config: { ...verification.config, skip: { window_hours: 0 } },
      autoReturn: false,
    },
  });
  await insertBounded(tx, session);
  await saveTicketRun(tx, scope, { sessionId: session.id, ticketId: ticket.id });
  return session.id;
}

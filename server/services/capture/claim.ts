/** Whom a run's ticket says that its guest is: the server finds it by the ticket, and the page is told nothing of it. */
import { normalisedMean } from '../../domain/matching/matching.ts';
import type { Claim } from '../../domain/capture/exchange/state.ts';
import { listTemplatesOf } from '../../store/matching/templates.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findTicketOfRun } from '../../store/tickets/entries.ts';
import { findTicket, type Ticket } from '../../store/tickets/tickets.ts';
import { findEvent } from '../../store/venue/events.ts';
import { poolOfRun } from '../matching/face-pool.ts';
import { readMatchMargin } from '../matching/match-margin.ts';
import type { Ports } from '../ports/ports.ts';
import { SESSION_ATTEMPTS } from '../runs/sessions/sessions.ts';
import { Refusal } from '../../refusals/refusal.ts';

type Run = Pick<Session, 'id' | 'scope'>;

/**
 * Undefined without a ticket, for one with which nobody came yet, for an event without the fast lane, and after a failed attempt:
 * then the full check is due.
 */
export async function claimOf(
  { db, faces }: Pick<Ports, 'db' | 'faces'>,
  session: Run & Pick<Session, 'attemptsLeft' | 'request'>,
): Promise<Claim | undefined> {
  const personId = session.attemptsLeft < SESSION_ATTEMPTS ? null : await guestOf(db, session);
  if (personId === null) return undefined;
  const { pool } = await poolOfRun(db, session);
  const templates = await listTemplatesOf(db, pool, faces.embeddingModel, personId);
  if (templates.length === 0) return undefined;
  const { oneToOne, samePerson } = faces.thresholds;
  return {
    personId,
    vector: normalisedMean(templates.map(({ vector }) => vector)),
    // A looser margin is for faces that are searched for; here it would admit more strangers.
    least: (oneToOne ?? samePerson) + Math.max(0, await readMatchMargin(db)),
  };
}

/**
 * The claimed person, if the ticket is still theirs.
 * @throws Refusal `challenge_expired` if it no longer is, as after an erasure: the page begins again, with the full check
 */
export async function claimedIn(
  db: SqlReader,
  session: Run,
  claim: Claim | undefined,
): Promise<string | null> {
  if (claim === undefined) return null;
  if ((await guestOf(db, session)) !== claim.personId) throw new Refusal('challenge_expired');
  return claim.personId;
}

async function guestOf(db: SqlReader, { id, scope }: Run): Promise<string | null> {
  const ticket = await ticketOf(db, scope, id);
  if (!ticket?.personId) return null;
  return (await findEvent(db, scope, ticket.eventId))?.fastLane === true ? ticket.personId : null;
}

async function ticketOf(
  db: SqlReader,
  scope: Session['scope'],
  sessionId: string,
): Promise<Ticket | undefined> {
  const run = await findTicketOfRun(db, scope, sessionId);
  return run && findTicket(db, scope, run.ticketId);
}

/** Whom a run's ticket says that its guest is: the server finds it by the ticket, and the page is told nothing of it. */
import { normalisedMean } from '../../domain/matching/matching.ts';
import type { Claim } from '../../domain/capture/exchange/state.ts';
import { listTemplatesOf, type Template } from '../../store/matching/templates.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findEvent } from '../../store/venue/events.ts';
import { poolOfRun } from '../matching/face-pool.ts';
import { oneToOneLeast, openSealed, ticketKeyIn, ticketOfRun } from '../matching/sealed-faces.ts';
import type { Ports } from '../ports/ports.ts';
import { SESSION_ATTEMPTS } from '../runs/sessions/sessions.ts';
import { Refusal } from '../../refusals/refusal.ts';

type Run = Pick<Session, 'id' | 'scope'>;

/**
 * Undefined without a ticket, for one with which nobody came yet, for an event without the fast lane, and after a failed attempt:
 * then the full check is due.
 * @param flowToken carries the key of a face that is sealed with its ticket
 */
export async function claimOf(
  { db, faces }: Pick<Ports, 'db' | 'faces'>,
  session: Run & Pick<Session, 'attemptsLeft' | 'request'>,
  flowToken: string,
): Promise<Claim | undefined> {
  if (session.attemptsLeft < SESSION_ATTEMPTS) return undefined;
  const ticket = await ticketOfGuest(db, session);
  if (!ticket) return undefined;
  const { personId } = ticket;
  const { pool, isSealed } = await poolOfRun(db, session);
  const model = faces.embeddingModel;
  const key = ticketKeyIn(flowToken);
  const vector = isSealed
    ? key && (await openSealed(db, pool, { ticketId: ticket.id, key }, { personId, model }))
    : meanOf(await listTemplatesOf(db, pool, model, personId));
  return vector ? { personId, vector, least: await oneToOneLeast(db, faces) } : undefined;
}

const meanOf = (templates: readonly Template[]): Float32Array | null =>
  templates.length === 0 ? null : normalisedMean(templates.map(({ vector }) => vector));

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
  if ((await ticketOfGuest(db, session))?.personId !== claim.personId) throw new Refusal('challenge_expired');
  return claim.personId;
}

/** The run's ticket, if it is somebody's and its event has the fast lane. */
async function ticketOfGuest(db: SqlReader, run: Run): Promise<{ id: string; personId: string } | undefined> {
  const { id, personId = null, eventId } = (await ticketOfRun(db, run)) ?? {};
  if (id === undefined || eventId === undefined || personId === null) return undefined;
  return (await findEvent(db, run.scope, eventId))?.fastLane === true ? { id, personId } : undefined;
}

/** Binds a ticket to the guest of a check that was made elsewhere than at a gate, where the entry binds it. */
import { hasherOf, TICKET_KEYS } from '../../domain/tickets/code-hash.ts';
import { findTicketOfRun } from '../../store/tickets/entries.ts';
import { listSigningKeys } from '../../store/keys/signing-keys.ts';
import {
  bindTicket,
  findTicket,
  findTicketOfPerson,
  listUnboundByCode,
  type Ticket,
} from '../../store/tickets/tickets.ts';
import { findEvent } from '../../store/venue/events.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';

type Run = Pick<Session, 'id' | 'scope' | 'device' | 'request'>;

/**
 * In the transaction that approved the run: the ticket of its link, or the one whose code is its `external_id`. A ticket that is
 * somebody's stays theirs, and a guest has one ticket of an event; the gate decides about the others.
 * @param sealedWith the ticket with which the face of this run was sealed; null for none
 */
export async function bindTicketOfRun(
  tx: SqlTx,
  run: Run,
  { personId, sealedWith, at }: { personId: string; sealedWith: string | null; at: number },
): Promise<void> {
  if (run.device === 'kiosk') return;
  const ticket = await ticketOf(tx, run, at);
  if (ticket === undefined || ticket.personId !== null) return;
  if ((await findTicketOfPerson(tx, run.scope, ticket.eventId, personId)) !== undefined) return;
  // Without a face that was sealed with it, its guest would be somebody else at the door.
  const isSealing = (await findEvent(tx, run.scope, ticket.eventId))?.faces === 'ticket';
  if (isSealing && sealedWith !== ticket.id) return;
  await bindTicket(tx, run.scope, { id: ticket.id, personId, at });
}

async function ticketOf(db: SqlReader, { id, scope, request }: Run, at: number): Promise<Ticket | undefined> {
  const run = await findTicketOfRun(db, scope, id);
  if (run !== undefined) return findTicket(db, scope, run.ticketId);
  if (request.externalId === null) return undefined;
  // Without a key there is no ticket.
  const [key] = await listSigningKeys(db, TICKET_KEYS);
  if (key === undefined) return undefined;
  const found = await listUnboundByCode(db, scope, {
    codeHash: hasherOf(key.secret)(request.externalId),
    at,
  });
  // Two events may use one code; which of them is meant, the gate will see.
  return found.length === 1 ? found[0] : undefined;
}

/** A source that takes any code: it becomes a ticket with its first guest. */
import { readCode } from '../../domain/tickets/ticket.ts';
import { listSources } from '../../store/tickets/sources.ts';
import { findTicket, insertTicket, type Ticket } from '../../store/tickets/tickets.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { newId } from '../ports/ids.ts';
import type { HashCode } from './codes.ts';
import type { Place } from './facts.ts';

/** Null if no source of the event takes any code. The code is of no ticket yet. */
export async function ticketOfAnyCode(
  tx: SqlTx,
  { event }: Pick<Place, 'event'>,
  hash: HashCode,
  code: string,
  at: number,
): Promise<Ticket | null> {
  const source = (await listSources(tx, event.scope, event.id)).find(({ kind }) => kind === 'any');
  if (source === undefined) return null;
  const id = newId(at);
  await insertTicket(tx, event.scope, {
    id,
    eventId: event.id,
    sourceId: source.id,
    codeHash: hash(readCode(code)),
    code: null,
    externalId: null,
    name: null,
    kind: null,
    party: null,
    note: null,
    validFrom: null,
    validUntil: null,
    state: 'valid',
    rulesUnknown: false,
    createdAt: at,
    updatedAt: at,
  });
  return (await findTicket(tx, event.scope, id)) ?? null;
}

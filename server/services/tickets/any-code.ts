/** A code of no known ticket: pretix may have signed it since the last reading, or a source takes any code. */
import { readCode } from '../../domain/tickets/ticket.ts';
import { listSources } from '../../store/tickets/sources.ts';
import { findTicket, insertTicket, type Ticket } from '../../store/tickets/tickets.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { newId } from '../ports/ids.ts';
import type { HashCode } from '../../domain/tickets/code-hash.ts';
import type { Place } from './facts.ts';
import { ticketOfSignedCode } from './pretix-read.ts';
import { NOTHING_SAID } from './source-page.ts';

/** Null if no source of the event takes the code. It is of no ticket yet. */
export async function ticketOfAnyCode(
  tx: SqlTx,
  { event }: Pick<Place, 'event'>,
  hash: HashCode,
  code: string,
  at: number,
): Promise<Ticket | null> {
  const signed = { eventId: event.id, code: readCode(code), hash, at };
  const sold = await ticketOfSignedCode(tx, event.scope, signed);
  if (sold !== null) return sold;
  const source = (await listSources(tx, event.scope, event.id)).find(({ kind }) => kind === 'any');
  if (source === undefined) return null;
  const id = newId(at);
  await insertTicket(tx, event.scope, {
    id,
    eventId: event.id,
    sourceId: source.id,
    codeHash: hash(readCode(code)),
    ...NOTHING_SAID,
    code: null,
    externalId: null,
    note: null,
    state: 'valid',
    createdAt: at,
    updatedAt: at,
  });
  return (await findTicket(tx, event.scope, id)) ?? null;
}

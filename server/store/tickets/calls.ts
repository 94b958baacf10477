/** Entries that a source doesn't know yet: a queue as the outbox of webhooks. */
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow } from '../rows.ts';
import type { SqlTx } from '../sql/port.ts';

export type TicketCall = {
  eventId: string;
  sourceId: string;
  ticketId: string;
  entrySeq: number;
  kind: 'in' | 'out' | 'undo';
  /** Lets the source notice a repetition. */
  nonce: string;
  at: number;
};

/** In the transaction of the entry, so that neither is lost without the other. */
export async function insertTicketCall(tx: SqlTx, scope: Scope, call: TicketCall): Promise<void> {
  await insertRow(tx, 'ticket_calls', {
    ...inScope(scope),
    event_id: call.eventId,
    source_id: call.sourceId,
    ticket_id: call.ticketId,
    entry_seq: call.entrySeq,
    kind: call.kind,
    nonce: call.nonce,
    status: 'waiting',
    next_attempt_at: call.at,
    at: call.at,
  });
  tx.afterCommit('tickets');
}

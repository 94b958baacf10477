/** Entries that a source doesn't know yet: a queue as the outbox of webhooks. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
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
  await tx.run(
    `INSERT INTO ticket_calls (company_id, partition, event_id, source_id, ticket_id, entry_seq, kind, nonce, status,
       next_attempt_at, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?)`,
    ...ofScope(scope),
    call.eventId,
    call.sourceId,
    call.ticketId,
    call.entrySeq,
    call.kind,
    call.nonce,
    call.at,
    call.at,
  );
  tx.afterCommit('tickets');
}

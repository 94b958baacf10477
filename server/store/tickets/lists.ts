/** Many tickets of a source at once: what is known of them, and what the source says now. */
import type { Scope } from '../../domain/scope.ts';
import { insertRows, ofScope, placesFor } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { columnsOf, type SourcedTicket } from './tickets.ts';

type Row = Omit<SourcedTicket, 'rulesUnknown'> & { rulesUnknown: number };

/** Rows of one statement: SQLite binds at most 32,766 values. */
const ROWS_AT_ONCE = 100;

const SELECT = `SELECT id, event_id AS eventId, source_id AS sourceId, code_hash AS codeHash, code, external_id AS externalId, name,
    kind, party, note, valid_from AS validFrom, valid_until AS validUntil, state, rules_unknown AS rulesUnknown,
    created_at AS createdAt, updated_at AS updatedAt
  FROM tickets WHERE company_id = ? AND partition = ? AND code_hash IS NOT NULL`;

/** The event's tickets of all sources, as their sources said. */
export async function listSourced(db: SqlReader, scope: Scope, eventId: string): Promise<SourcedTicket[]> {
  return opened(db, await db.all<Row>(`${SELECT} AND event_id = ?`, ...ofScope(scope), eventId));
}

/** Those of the event with one of the codes, or of the source with one of its IDs: what a page of it may change. */
export async function listSourcedAmong(
  db: SqlReader,
  scope: Scope,
  of: { eventId: string; sourceId: string },
  { hashes, externalIds }: { hashes: readonly Uint8Array[]; externalIds: readonly string[] },
): Promise<SourcedTicket[]> {
  if (hashes.length + externalIds.length === 0) return [];
  const marks = (values: readonly unknown[]) => placesFor(values) || 'NULL';
  const rows = await db.all<Row>(
    `${SELECT} AND event_id = ? AND (code_hash IN (${marks(hashes)}) OR (source_id = ? AND external_id IN (${marks(externalIds)})))`,
    ...ofScope(scope),
    of.eventId,
    ...hashes,
    of.sourceId,
    ...externalIds,
  );
  return opened(db, rows);
}

const opened = (db: SqlReader, rows: Row[]): SourcedTicket[] =>
  rows.map((row) => ({
    ...row,
    codeHash: Buffer.from(row.codeHash),
    code: db.secrets.open('tickets.code', [row.id], row.code),
    note: db.secrets.open('tickets.note', [row.id], row.note),
    rulesUnknown: row.rulesUnknown === 1,
  }));

/** New ones, and those with a known ID, whose code may be another now. Who came with them stays. */
export async function putTickets(tx: SqlTx, scope: Scope, tickets: readonly SourcedTicket[]): Promise<void> {
  if (tickets.length > 0) tx.afterCommit('venue', scope.companyId);
  for (let at = 0; at < tickets.length; at += ROWS_AT_ONCE) {
    const rows = tickets.slice(at, at + ROWS_AT_ONCE);
    await insertRows(
      tx,
      'tickets',
      rows.map((ticket) => columnsOf(tx, scope, ticket)),
      `ON CONFLICT (id) DO UPDATE SET code_hash = excluded.code_hash, code = excluded.code, external_id = excluded.external_id,
         name = excluded.name, search_name = excluded.search_name, kind = excluded.kind, party = excluded.party,
         note = excluded.note, valid_from = excluded.valid_from, valid_until = excluded.valid_until, state = excluded.state,
         rules_unknown = excluded.rules_unknown, updated_at = excluded.updated_at`,
    );
  }
}

/** Of a source that is another's event from now on. What was revoked stays so. */
export function cancelTicketsOf(tx: SqlTx, scope: Scope, sourceId: string, at: number): Promise<number> {
  tx.afterCommit('venue', scope.companyId);
  return tx.run(
    `UPDATE tickets SET state = 'cancelled', updated_at = ?
     WHERE company_id = ? AND partition = ? AND source_id = ? AND state NOT IN ('cancelled', 'revoked')`,
    at,
    ...ofScope(scope),
    sourceId,
  );
}

export type TicketCount = { sourceId: string; state: string; count: number };

/** By source and state. */
export function countTickets(db: SqlReader, scope: Scope, eventId: string): Promise<TicketCount[]> {
  return db.all<TicketCount>(
    `SELECT source_id AS sourceId, state, COUNT(*) AS count FROM tickets
     WHERE company_id = ? AND partition = ? AND event_id = ? GROUP BY source_id, state`,
    ...ofScope(scope),
    eventId,
  );
}

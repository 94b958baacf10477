/** Tickets of an event, found by the HMAC of their code. */
import { searchName, type TicketState } from '../../domain/tickets/ticket.ts';
import type { Scope } from '../../domain/scope.ts';
import { flag, inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx, SqlValue } from '../sql/port.ts';

export type Ticket = {
  id: string;
  eventId: string;
  sourceId: string;
  /** Only where another system has to be told; null otherwise. */
  code: string | null;
  /** The other system's ID of it. */
  externalId: string | null;
  name: string | null;
  kind: string | null;
  /** The order: tickets that came together. */
  party: string | null;
  note: string | null;
  validFrom: number | null;
  validUntil: number | null;
  state: TicketState;
  /** The source has rules for it that this server can't decide. */
  rulesUnknown: boolean;
  /** Who came with it, or made their check for it at home; null before, and after their erasure. */
  personId: string | null;
  boundAt: number | null;
  createdAt: number;
  updatedAt: number;
};

/** What a source says about a ticket. */
export type SourcedTicket = Omit<Ticket, 'personId' | 'boundAt'> & { codeHash: Uint8Array };

type Row = Omit<Ticket, 'rulesUnknown'> & { rulesUnknown: number };

const SELECT = `SELECT id, event_id AS eventId, source_id AS sourceId, code, external_id AS externalId, name, kind, party, note,
    valid_from AS validFrom, valid_until AS validUntil, state, rules_unknown AS rulesUnknown, person_id AS personId,
    bound_at AS boundAt, created_at AS createdAt, updated_at AS updatedAt
  FROM tickets WHERE company_id = ? AND partition = ?`;

const opened = (db: SqlReader, row: Row): Ticket => ({
  ...row,
  code: db.secrets.open('tickets.code', [row.id], row.code),
  note: db.secrets.open('tickets.note', [row.id], row.note),
  rulesUnknown: row.rulesUnknown === 1,
});

async function list(db: SqlReader, scope: Scope, where: string, ...values: SqlValue[]): Promise<Ticket[]> {
  const rows = await db.all<Row>(`${SELECT} AND ${where}`, ...ofScope(scope), ...values);
  return rows.map((row) => opened(db, row));
}

export const columnsOf = ({ secrets }: SqlTx, scope: Scope, ticket: SourcedTicket) => ({
  id: ticket.id,
  ...inScope(scope),
  event_id: ticket.eventId,
  source_id: ticket.sourceId,
  code_hash: ticket.codeHash,
  code: secrets.seal('tickets.code', [ticket.id], ticket.code),
  external_id: ticket.externalId,
  name: ticket.name,
  search_name: ticket.name === null ? null : searchName(ticket.name),
  kind: ticket.kind,
  party: ticket.party,
  note: secrets.seal('tickets.note', [ticket.id], ticket.note),
  valid_from: ticket.validFrom,
  valid_until: ticket.validUntil,
  state: ticket.state,
  rules_unknown: flag(ticket.rulesUnknown),
  created_at: ticket.createdAt,
  updated_at: ticket.updatedAt,
});

/** @throws UniqueViolation `tickets_code` if the event has the code */
export async function insertTicket(tx: SqlTx, scope: Scope, ticket: SourcedTicket): Promise<void> {
  await insertRow(tx, 'tickets', columnsOf(tx, scope, ticket));
}

export async function findTicket(db: SqlReader, scope: Scope, id: string): Promise<Ticket | undefined> {
  return (await list(db, scope, 'id = ?', id))[0];
}

export async function findTicketByCode(
  db: SqlReader,
  scope: Scope,
  eventId: string,
  codeHash: Uint8Array,
): Promise<Ticket | undefined> {
  return (await list(db, scope, 'event_id = ? AND code_hash = ?', eventId, codeHash))[0];
}

/** Valid, nobody's, and of events that have not ended at `at`: the first two of them. */
export function listUnboundByCode(
  db: SqlReader,
  scope: Scope,
  { codeHash, at }: { codeHash: Uint8Array; at: number },
): Promise<Ticket[]> {
  return list(
    db,
    scope,
    `code_hash = ? AND person_id IS NULL AND state = 'valid'
       AND event_id IN (SELECT id FROM events WHERE ends_at > ?) ORDER BY id LIMIT 2`,
    codeHash,
    at,
  );
}

/** The name of another event of the scope that has the code. */
export async function findOtherEventOfCode(
  db: SqlReader,
  scope: Scope,
  eventId: string,
  codeHash: Uint8Array,
): Promise<string | undefined> {
  const row = await db.one<{ name: string }>(
    `SELECT e.name FROM tickets t JOIN events e ON e.id = t.event_id
     WHERE t.company_id = ? AND t.partition = ? AND t.code_hash = ? AND t.event_id <> ? LIMIT 1`,
    ...ofScope(scope),
    codeHash,
    eventId,
  );
  return row?.name;
}

/** The tickets of one order, oldest first. */
export function listParty(
  db: SqlReader,
  scope: Scope,
  { eventId, party, limit }: { eventId: string; party: string; limit: number },
): Promise<Ticket[]> {
  return list(db, scope, 'event_id = ? AND party = ? ORDER BY created_at, id LIMIT ?', eventId, party, limit);
}

/** The tickets that a person came with, latest first. */
export function listTicketsOfPerson(
  db: SqlReader,
  scope: Scope,
  personId: string,
  limit: number,
): Promise<Ticket[]> {
  return list(db, scope, 'person_id = ? ORDER BY bound_at DESC, id LIMIT ?', personId, limit);
}

/** With which the person came to the event. */
export async function findTicketOfPerson(
  db: SqlReader,
  scope: Scope,
  eventId: string,
  personId: string,
): Promise<Ticket | undefined> {
  return (
    await list(db, scope, 'person_id = ? AND event_id = ? ORDER BY bound_at LIMIT 1', personId, eventId)
  )[0];
}

/** Binds a ticket that is bound to nobody. 0 if it is bound. */
export function bindTicket(
  tx: SqlTx,
  scope: Scope,
  { id, personId, at }: { id: string; personId: string; at: number },
): Promise<number> {
  return tx.run(
    `UPDATE tickets SET person_id = ?, bound_at = ? WHERE company_id = ? AND partition = ? AND id = ? AND person_id IS NULL`,
    personId,
    at,
    ...ofScope(scope),
    id,
  );
}

/** Whose name has the text anywhere, by name. */
export function searchTickets(
  db: SqlReader,
  scope: Scope,
  { eventId, text, limit }: { eventId: string; text: string; limit: number },
): Promise<Ticket[]> {
  const pattern = `%${searchName(text).replace(/[\\%_]/g, '\\$&')}%`;
  return list(
    db,
    scope,
    `event_id = ? AND search_name LIKE ? ESCAPE '\\' ORDER BY search_name, id LIMIT ?`,
    eventId,
    pattern,
    limit,
  );
}

export async function countTickets(db: SqlReader, scope: Scope, eventId: string): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM tickets WHERE event_id = ? AND company_id = ? AND partition = ?',
    eventId,
    ...ofScope(scope),
  );
  return row?.n ?? 0;
}

/** Tickets of any code with which nobody came or passed and no check is in progress, at most 100: their codes can be taken again. */
export function deleteUnusedTickets(
  tx: SqlTx,
  scope: Scope,
  { eventId, now }: { eventId: string; now: number },
): Promise<number> {
  return tx.run(
    `DELETE FROM tickets WHERE id IN (
       SELECT t.id FROM tickets t JOIN ticket_sources s ON s.id = t.source_id AND s.kind = 'any'
       WHERE t.company_id = ? AND t.partition = ? AND t.event_id = ? AND t.person_id IS NULL
         AND NOT EXISTS (SELECT 1 FROM ticket_entries e WHERE e.ticket_id = t.id)
         AND NOT EXISTS (SELECT 1 FROM ticket_runs r JOIN sessions x ON x.id = r.session_id
           WHERE r.ticket_id = t.id AND (x.state = 'in_review' OR (x.state = 'open' AND x.expires_at > ?)))
       LIMIT 100)`,
    ...ofScope(scope),
    eventId,
    now,
  );
}

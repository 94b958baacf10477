/** Who went in and out with which ticket, and the runs that began with one. */
import type { Direction, EntryWay } from '../../domain/tickets/ticket.ts';
import type { Scope } from '../../domain/scope.ts';
import { flag, inScope, insertRow, ofScope, placesFor } from '../rows.ts';
import { needLock, type SqlReader, type SqlTx } from '../sql/port.ts';

/** A kiosk, or a phone of the door team. */
export type Gate = { id: string; name: string };

export type Entry = {
  seq: number;
  eventId: string;
  ticketId: string | null;
  personId: string | null;
  sessionId: string | null;
  gate: string;
  gateName: string;
  direction: Direction;
  /** More than one for children without tickets. */
  people: number;
  at: number;
  /** As in the audit log. */
  actor: string;
  how: EntryWay;
  /** Why staff let them in. */
  reason: string | null;
  undoneAt: number | null;
};

const SELECT = `SELECT seq, event_id AS eventId, ticket_id AS ticketId, person_id AS personId, session_id AS sessionId, gate,
    gate_name AS gateName, direction, people, at, actor, CASE fast_lane WHEN 1 THEN 'fast_lane' ELSE how END AS how, reason,
    undone_at AS undoneAt
  FROM ticket_entries WHERE company_id = ? AND partition = ?`;

/**
 * The caller holds the company's lock, so that what it decided by is still true.
 * @returns its number
 * @throws UniqueViolation `ticket_entries_turn` or `ticket_entries_session`
 */
export async function insertEntry(
  tx: SqlTx,
  scope: Scope,
  entry: Omit<Entry, 'seq' | 'undoneAt'>,
): Promise<number> {
  needLock(tx, scope.companyId);
  const row = await tx.one<{ seq: number }>(
    `INSERT INTO ticket_entries (company_id, partition, event_id, ticket_id, turn, person_id, session_id, gate, gate_name,
       direction, people, at, actor, how, fast_lane, reason)
     VALUES (?, ?, ?, ?, CASE WHEN CAST(? AS TEXT) IS NULL THEN NULL ELSE
       (SELECT COALESCE(MAX(e.turn), 0) + 1 FROM ticket_entries e WHERE e.ticket_id = ?) END, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     RETURNING seq`,
    ...ofScope(scope),
    entry.eventId,
    entry.ticketId,
    entry.ticketId,
    entry.ticketId,
    entry.personId,
    entry.sessionId,
    entry.gate,
    entry.gateName,
    entry.direction,
    entry.people,
    entry.at,
    entry.actor,
    entry.how === 'fast_lane' ? 'check' : entry.how,
    flag(entry.how === 'fast_lane'),
    entry.reason,
  );
  tx.afterCommit('venue', scope.companyId);
  return row?.seq ?? 0;
}

export function findEntry(db: SqlReader, scope: Scope, seq: number): Promise<Entry | undefined> {
  return db.one<Entry>(`${SELECT} AND seq = ?`, ...ofScope(scope), seq);
}

/** That was not undone. */
export function findEntryOfRun(
  db: SqlReader,
  scope: Scope,
  sessionId: string,
  direction: Direction,
): Promise<Entry | undefined> {
  return db.one<Entry>(
    `${SELECT} AND session_id = ? AND direction = ? AND undone_at IS NULL`,
    ...ofScope(scope),
    sessionId,
    direction,
  );
}

/** The latest that was not undone: it says whether the ticket's guest is inside. */
export function findLastEntry(db: SqlReader, scope: Scope, ticketId: string): Promise<Entry | undefined> {
  return db.one<Entry>(
    `${SELECT} AND ticket_id = ? AND undone_at IS NULL ORDER BY turn DESC LIMIT 1`,
    ...ofScope(scope),
    ticketId,
  );
}

/** 0 if it was undone before. */
export function undoEntry(tx: SqlTx, scope: Scope, seq: number, at: number): Promise<number> {
  tx.afterCommit('venue', scope.companyId);
  return tx.run(
    `UPDATE ticket_entries SET undone_at = ? WHERE company_id = ? AND partition = ? AND seq = ? AND undone_at IS NULL`,
    at,
    ...ofScope(scope),
    seq,
  );
}

/** Newest first, those that were undone as well. */
export function listEntries(
  db: SqlReader,
  scope: Scope,
  { eventId, limit }: { eventId: string; limit: number },
): Promise<Entry[]> {
  return db.all<Entry>(
    `${SELECT} AND event_id = ? ORDER BY seq DESC LIMIT ?`,
    ...ofScope(scope),
    eventId,
    limit,
  );
}

/** Of one ticket, oldest first, without those that were undone. */
export function listEntriesOfTicket(db: SqlReader, scope: Scope, ticketId: string): Promise<Entry[]> {
  return db.all<Entry>(
    `${SELECT} AND ticket_id = ? AND undone_at IS NULL ORDER BY turn`,
    ...ofScope(scope),
    ticketId,
  );
}

export type GateCount = { gate: string; gateName: string; entered: number; left: number };

/** People by gate; those inside are the difference. */
export function countByGate(db: SqlReader, scope: Scope, eventId: string): Promise<GateCount[]> {
  return db.all<GateCount>(
    `SELECT gate, MAX(gate_name) AS gateName, SUM(CASE WHEN direction = 'in' THEN people ELSE 0 END) AS entered,
       SUM(CASE WHEN direction = 'out' THEN people ELSE 0 END) AS "left"
     FROM ticket_entries WHERE company_id = ? AND partition = ? AND event_id = ? AND undone_at IS NULL
     GROUP BY gate ORDER BY 2, 1`,
    ...ofScope(scope),
    eventId,
  );
}

/** Names and kinds of the tickets with which runs began or ended, by the run's ID. */
export async function listTicketsOfRuns(
  db: SqlReader,
  scope: Scope,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, { name: string | null; kind: string | null }>> {
  if (sessionIds.length === 0) return new Map();
  const places = placesFor(sessionIds);
  const part = (table: string) =>
    `SELECT r.session_id AS sessionId, t.name, t.kind FROM ${table} r JOIN tickets t ON t.id = r.ticket_id
     WHERE r.session_id IN (${places}) AND r.company_id = ? AND r.partition = ?`;
  const one = [...sessionIds, ...ofScope(scope)];
  const rows = await db.all<{ sessionId: string; name: string | null; kind: string | null }>(
    `${part('ticket_runs')} UNION ALL ${part('ticket_entries')}`,
    ...one,
    ...one,
  );
  return new Map(rows.map(({ sessionId, name, kind }) => [sessionId, { name, kind }]));
}

/** Counts a scan that let nobody in, without its code. */
export async function countRefusal(
  tx: SqlTx,
  scope: Scope,
  { eventId, gate, reason, at }: { eventId: string; gate: Gate; reason: string; at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO ticket_refusals (event_id, company_id, partition, hour, gate, gate_name, reason, scans)
     VALUES (?, ?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT (event_id, hour, gate, reason) DO UPDATE SET scans = ticket_refusals.scans + 1`,
    eventId,
    ...ofScope(scope),
    at - (at % 3_600_000),
    gate.id,
    gate.name,
    reason,
  );
}

/** The ticket with which a run began. */
export async function saveTicketRun(
  tx: SqlTx,
  scope: Scope,
  { sessionId, ticketId }: { sessionId: string; ticketId: string },
): Promise<void> {
  await insertRow(tx, 'ticket_runs', { session_id: sessionId, ticket_id: ticketId, ...inScope(scope) });
}

export async function findTicketOfRun(
  db: SqlReader,
  scope: Scope,
  sessionId: string,
): Promise<{ ticketId: string; isFastLane: boolean } | undefined> {
  const row = await db.one<{ ticketId: string; fastLane: number }>(
    `SELECT ticket_id AS ticketId, fast_lane AS fastLane FROM ticket_runs
     WHERE company_id = ? AND partition = ? AND session_id = ?`,
    ...ofScope(scope),
    sessionId,
  );
  return row && { ticketId: row.ticketId, isFastLane: row.fastLane === 1 };
}

/** The ticket's latest open run in which nobody has acted, that is at no kiosk. */
export async function findUntouchedRunOfTicket(
  db: SqlReader,
  scope: Scope,
  { ticketId, now }: { ticketId: string; now: number },
): Promise<string | undefined> {
  const row = await db.one<{ id: string }>(
    `SELECT s.id FROM ticket_runs r JOIN sessions s ON s.id = r.session_id
     WHERE r.ticket_id = ? AND r.company_id = ? AND r.partition = ? AND s.state = 'open' AND s.expires_at > ?
       AND s.consent_at IS NULL AND (s.device IS NULL OR s.device <> 'kiosk')
       AND NOT EXISTS (SELECT 1 FROM handoffs h WHERE h.session_id = s.id AND h.confirmed_at IS NOT NULL)
     ORDER BY s.created_at DESC, s.id DESC LIMIT 1`,
    ticketId,
    ...ofScope(scope),
    now,
  );
  return row?.id;
}

/** The run passed by the shorter check. */
export async function markFastLane(tx: SqlTx, scope: Scope, sessionId: string): Promise<void> {
  await tx.run(
    'UPDATE ticket_runs SET fast_lane = 1 WHERE company_id = ? AND partition = ? AND session_id = ?',
    ...ofScope(scope),
    sessionId,
  );
}

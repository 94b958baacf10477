/** The print queue of badges: one for each ticket, which a kiosk takes once. */
import type { BadgeFailure, BadgeState } from '../../contract/badges.ts';
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type NewBadge = {
  id: string;
  eventId: string;
  ticketId: string;
  entrySeq: number;
  kioskId: string;
  at: number;
};

/** A ticket that has one gets no other: only one that no kiosk has taken yet follows its guest to the kiosk of a later entry. */
export async function queueBadge(
  tx: SqlTx,
  scope: Scope,
  { id, eventId, ticketId, entrySeq, kioskId, at }: NewBadge,
): Promise<void> {
  await tx.run(
    `INSERT INTO ticket_badges (id, company_id, partition, event_id, ticket_id, entry_seq, kiosk_id, status, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?)
     ON CONFLICT (ticket_id) DO UPDATE SET entry_seq = excluded.entry_seq, kiosk_id = excluded.kiosk_id,
       updated_at = excluded.updated_at WHERE ticket_badges.status = 'waiting'`,
    id,
    ...ofScope(scope),
    eventId,
    ticketId,
    entrySeq,
    kioskId,
    at,
    at,
  );
  tx.afterCommit('badges', scope.companyId);
}

/** Whose entry was not undone meanwhile. */
const WAITING = `b.kiosk_id = ? AND b.event_id = ? AND b.status = 'waiting'
  AND EXISTS (SELECT 1 FROM ticket_entries e WHERE e.seq = b.entry_seq AND e.undone_at IS NULL)`;

type OfKiosk = { kioskId: string; eventId: string };

/** Kiosks belong to the company, and use the partition of their event. */
export async function countWaitingBadges(
  db: SqlReader,
  companyId: string,
  { kioskId, eventId }: OfKiosk,
): Promise<number> {
  const row = await db.one<{ n: number }>(
    `SELECT COUNT(*) AS n FROM ticket_badges b JOIN events v ON v.id = b.event_id AND v.badge IS NOT NULL
     WHERE b.company_id = ? AND ${WAITING}`,
    companyId,
    kioskId,
    eventId,
  );
  return row?.n ?? 0;
}

/** The oldest that waits, which is then nobody else’s. @returns what is on it */
export async function takeBadge(
  tx: SqlTx,
  scope: Scope,
  { kioskId, eventId, at }: OfKiosk & { at: number },
): Promise<{ id: string; name: string | null; kind: string | null; order: string | null } | undefined> {
  const row = await tx.one<{ id: string; ticketId: string }>(
    `UPDATE ticket_badges SET status = 'taken', why = NULL, updated_at = ?
     WHERE status = 'waiting' AND id = (SELECT b.id FROM ticket_badges b
       WHERE b.company_id = ? AND b.partition = ? AND ${WAITING} ORDER BY b.created_at, b.id LIMIT 1)
     RETURNING id, ticket_id AS ticketId`,
    at,
    ...ofScope(scope),
    kioskId,
    eventId,
  );
  if (row === undefined) return undefined;
  tx.afterCommit('venue', scope.companyId);
  const ticket = await tx.one<{ name: string | null; kind: string | null; party: string | null }>(
    'SELECT name, kind, party FROM tickets WHERE company_id = ? AND partition = ? AND id = ?',
    ...ofScope(scope),
    row.ticketId,
  );
  return { id: row.id, name: ticket?.name ?? null, kind: ticket?.kind ?? null, order: ticket?.party ?? null };
}

/** What became of a badge that this kiosk has. Repeating it changes nothing. */
export async function endBadge(
  tx: SqlTx,
  companyId: string,
  {
    kioskId,
    id,
    failure,
    at,
  }: { kioskId: string; id: string; failure: BadgeFailure | undefined; at: number },
): Promise<void> {
  const changed = await tx.run(
    `UPDATE ticket_badges SET status = ?, why = ?, updated_at = ?
     WHERE company_id = ? AND id = ? AND kiosk_id = ? AND status = 'taken'`,
    failure === undefined ? 'sent' : 'failed',
    failure ?? null,
    at,
    companyId,
    id,
    kioskId,
  );
  if (changed > 0) tx.afterCommit('venue', companyId);
}

/** Has it printed again at its kiosk. @returns the ticket; undefined if it waits already or its kiosk is gone */
export async function printBadgeAgain(
  tx: SqlTx,
  scope: Scope,
  { eventId, id, at }: { eventId: string; id: string; at: number },
): Promise<string | undefined> {
  tx.afterCommit('badges', scope.companyId);
  const row = await tx.one<{ ticketId: string }>(
    `UPDATE ticket_badges SET status = 'waiting', why = NULL, updated_at = ?
     WHERE company_id = ? AND partition = ? AND event_id = ? AND id = ? AND status <> 'waiting' AND kiosk_id IS NOT NULL
     RETURNING ticket_id AS ticketId`,
    at,
    ...ofScope(scope),
    eventId,
    id,
  );
  return row?.ticketId;
}

export type BadgeRow = {
  id: string;
  name: string | null;
  kiosk: string | null;
  status: BadgeState;
  why: BadgeFailure | null;
  updatedAt: number;
};

/** Latest change first. */
export function listBadges(
  db: SqlReader,
  scope: Scope,
  { eventId, limit }: { eventId: string; limit: number },
): Promise<BadgeRow[]> {
  return db.all<BadgeRow>(
    `SELECT b.id, t.name, k.name AS kiosk, b.status, b.why, b.updated_at AS updatedAt
     FROM ticket_badges b JOIN tickets t ON t.id = b.ticket_id LEFT JOIN kiosks k ON k.id = b.kiosk_id
     WHERE b.company_id = ? AND b.partition = ? AND b.event_id = ? ORDER BY b.updated_at DESC, b.id DESC LIMIT ?`,
    ...ofScope(scope),
    eventId,
    limit,
  );
}

/** What the organiser says about the tickets of an event, and what ends with it. */
import { DEFAULT_RULES, type TicketRules } from '../../domain/tickets/ticket.ts';
import type { DeletionTime } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { flag, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export async function findTicketRules(db: SqlReader, scope: Scope, eventId: string): Promise<TicketRules> {
  const row = await db.one<{ reEntry: number; mostInside: number | null; keepDays: number }>(
    `SELECT re_entry AS reEntry, most_inside AS mostInside, keep_days AS keepDays FROM ticket_rules
     WHERE company_id = ? AND partition = ? AND event_id = ?`,
    ...ofScope(scope),
    eventId,
  );
  return row ? { ...row, reEntry: row.reEntry === 1 } : DEFAULT_RULES;
}

export async function saveTicketRules(
  tx: SqlTx,
  scope: Scope,
  { eventId, rules, at }: { eventId: string; rules: TicketRules; at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO ticket_rules (event_id, company_id, partition, re_entry, most_inside, keep_days, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (event_id) DO UPDATE SET re_entry = excluded.re_entry, most_inside = excluded.most_inside,
       keep_days = excluded.keep_days, updated_at = excluded.updated_at`,
    eventId,
    ...ofScope(scope),
    flag(rules.reEntry),
    rules.mostInside,
    rules.keepDays,
    at,
  );
}

const DAY_MS = 86_400_000;

/** Of events that ended long enough ago: names, codes and who came. The rest stays for the report. */
export const OF_PAST_EVENT = `event_id IN (SELECT e.id FROM events e LEFT JOIN ticket_rules r ON r.event_id = e.id
  WHERE e.ends_at + COALESCE(r.keep_days, ${DEFAULT_RULES.keepDays}) * ${DAY_MS} <= ?)`;
const DUE = `code_hash IS NOT NULL AND ${OF_PAST_EVENT}`;
const DUE_ENTRY = `(person_id IS NOT NULL OR session_id IS NOT NULL OR reason IS NOT NULL) AND ${OF_PAST_EVENT}`;

/** Removes who came, and staff's words about them, from entries whose time has ended. Returns rows changed, at most `limit`. */
export function stripDueEntries(tx: SqlTx, time: DeletionTime, limit: number): Promise<number> {
  return tx.run(
    `UPDATE ticket_entries SET person_id = NULL, session_id = NULL, reason = NULL
     WHERE seq IN (SELECT seq FROM ticket_entries WHERE ${DUE_ENTRY} LIMIT ?)`,
    time,
    limit,
  );
}

/** Removes what names anybody from tickets whose time has ended. Returns rows changed, at most `limit`. */
export async function stripDueTickets(tx: SqlTx, time: DeletionTime, limit: number): Promise<number> {
  const stripped = await tx.run(
    `UPDATE tickets SET code_hash = NULL, code = NULL, external_id = NULL, name = NULL, search_name = NULL, party = NULL,
       note = NULL, person_id = NULL WHERE id IN (SELECT id FROM tickets WHERE ${DUE} LIMIT ?)`,
    time,
    limit,
  );
  await tx.run(
    `DELETE FROM ticket_refused_scans WHERE seq IN (SELECT r.seq FROM ticket_refused_scans r
       JOIN tickets t ON t.id = r.ticket_id WHERE t.code_hash IS NULL)`,
  );
  return stripped;
}

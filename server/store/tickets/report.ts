/** Counts of an event's tickets for its report. They are the same after its names and codes were removed. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader } from '../sql/port.ts';

export type GateHour = {
  gate: string;
  gateName: string;
  /** Hours since the epoch. */
  hour: number;
  entered: number;
  left: number;
};

/** People by gate and hour. */
export function countByGateAndHour(db: SqlReader, scope: Scope, eventId: string): Promise<GateHour[]> {
  return db.all<GateHour>(
    `SELECT gate, MAX(gate_name) AS gateName, at / 3600000 AS hour,
       SUM(CASE WHEN direction = 'in' THEN people ELSE 0 END) AS entered,
       SUM(CASE WHEN direction = 'out' THEN people ELSE 0 END) AS "left"
     FROM ticket_entries WHERE company_id = ? AND partition = ? AND event_id = ? AND undone_at IS NULL
     GROUP BY gate, at / 3600000 ORDER BY 3, 2, 1`,
    ...ofScope(scope),
    eventId,
  );
}

export type RefusedHour = { gate: string; gateName: string; hour: number; reason: string; scans: number };

export function countRefusals(db: SqlReader, scope: Scope, eventId: string): Promise<RefusedHour[]> {
  return db.all<RefusedHour>(
    `SELECT gate, gate_name AS gateName, hour / 3600000 AS hour, reason, scans FROM ticket_refusals
     WHERE company_id = ? AND partition = ? AND event_id = ? ORDER BY hour, gate_name, gate`,
    ...ofScope(scope),
    eventId,
  );
}

/** Different guests who entered: by ticket, else by face, else as counted. */
export async function countGuests(db: SqlReader, scope: Scope, eventId: string): Promise<number> {
  const row = await db.one<{ n: number }>(
    `SELECT COUNT(DISTINCT ticket_id) + COUNT(DISTINCT CASE WHEN ticket_id IS NULL THEN person_id END)
       + COALESCE(SUM(CASE WHEN ticket_id IS NULL AND person_id IS NULL THEN people END), 0) AS n
     FROM ticket_entries
     WHERE company_id = ? AND partition = ? AND event_id = ? AND undone_at IS NULL AND direction = 'in'`,
    ...ofScope(scope),
    eventId,
  );
  return row?.n ?? 0;
}

/** Tickets whose guests entered by staff's word alone. */
export async function countCodesWithoutFace(db: SqlReader, scope: Scope, eventId: string): Promise<number> {
  const row = await db.one<{ n: number }>(
    `SELECT COUNT(*) AS n FROM (SELECT ticket_id FROM ticket_entries
       WHERE company_id = ? AND partition = ? AND event_id = ? AND undone_at IS NULL AND direction = 'in'
         AND ticket_id IS NOT NULL
       GROUP BY ticket_id HAVING MAX(CASE WHEN how = 'staff' THEN 0 ELSE 1 END) = 0) AS unchecked`,
    ...ofScope(scope),
    eventId,
  );
  return row?.n ?? 0;
}

/**
 * People whom the event's runs admitted, without those who came with a ticket: one that is bound by a check at home has no entry
 * yet. A person comes with one ticket, so the difference
 * stays right when nobody can say any longer whose it was.
 */
export async function countFacesWithoutCode(
  db: SqlReader,
  scope: Scope,
  event: { id: string; group: string },
): Promise<number> {
  const row = await db.one<{ faces: number; bound: number }>(
    `WITH admitted AS (
       SELECT pass_id FROM sessions WHERE company_id = ? AND partition = ? AND group_id = ?
         AND settled_at IS NOT NULL AND counts_as IN ('passed', 'passed_again', 'flagged')
       UNION
       SELECT s.pass_id FROM kiosk_runs k JOIN sessions s ON s.id = k.session_id
         WHERE k.event_id = ? AND k.partition = ? AND k.counts_as IN ('passed', 'passed_again', 'flagged')
           AND s.company_id = ?)
     SELECT (SELECT COUNT(DISTINCT p.person_id) FROM admitted a JOIN passes p ON p.id = a.pass_id) AS faces,
       (SELECT COUNT(*) FROM tickets WHERE company_id = ? AND partition = ? AND event_id = ? AND bound_at IS NOT NULL
          AND EXISTS (SELECT 1 FROM ticket_entries e WHERE e.ticket_id = tickets.id AND e.how = 'check')) AS bound`,
    ...ofScope(scope),
    event.group,
    event.id,
    scope.partition,
    scope.companyId,
    ...ofScope(scope),
    event.id,
  );
  return Math.max(0, (row?.faces ?? 0) - (row?.bound ?? 0));
}

/** How long people stood at a kiosk: from the start of a run to its end, where it came to one. */
import type { SqlReader } from '../port.ts';

export type KioskTime = { kioskId: string; name: string; ms: number; outcomeIsLetIn: number };

/** Of an event, shortest first. One row a run: an event has thousands, not millions. */
export async function listKioskTimes(db: SqlReader, eventId: string): Promise<KioskTime[]> {
  return db.all<KioskTime>(
    `SELECT k.kiosk_id AS kioskId, q.name, s.settled_at - k.started_at AS ms,
       COALESCE(p.status = 'approved', 0) AS outcomeIsLetIn
     FROM kiosk_runs k JOIN kiosks q ON q.id = k.kiosk_id JOIN sessions s ON s.id = k.session_id
     LEFT JOIN passes p ON p.id = s.pass_id
     WHERE k.event_id = ? AND s.settled_at IS NOT NULL AND s.state IN ('settled', 'in_review')
     ORDER BY ms`,
    eventId,
  );
}

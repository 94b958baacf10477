/** How long people stood at a kiosk: from the start of a run to its end, where it came to one. */
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader } from '../sql/port.ts';

/** Runs of a kiosk that took as long, to the tenth of a second. */
export type KioskTimes = { kioskId: string; name: string; tenths: number; runs: number; letIn: number };

/** Of an event, shortest first: a row for each length and kiosk, however many runs it has had. */
export async function countKioskTimes(db: SqlReader, scope: Scope, eventId: string): Promise<KioskTimes[]> {
  return db.all<KioskTimes>(
    `WITH lengths AS (
       SELECT kiosk_id, (ended_at - started_at + 50) / 100 AS tenths, COUNT(*) AS runs,
         SUM(counts_as IN ('passed', 'passed_again', 'flagged')) AS letIn
       FROM kiosk_runs
       WHERE event_id = ? AND partition = ? AND ended_at IS NOT NULL AND counts_as <> 'unfinished'
       GROUP BY kiosk_id, tenths)
     SELECT l.kiosk_id AS kioskId, q.name, l.tenths, l.runs, l.letIn FROM lengths l
     JOIN kiosks q ON q.id = l.kiosk_id AND q.company_id = ? ORDER BY l.tenths`,
    eventId,
    scope.partition,
    scope.companyId,
  );
}

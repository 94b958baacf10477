import { insertRow } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** A planned time without service, in epoch milliseconds. */
export type PlannedWindow = { id: string; startsAt: number; endsAt: number; notice: string };

export async function insertWindow(
  tx: SqlTx,
  window: PlannedWindow & { createdBy: string; createdAt: number },
): Promise<void> {
  await insertRow(tx, 'maintenance_windows', {
    id: window.id,
    starts_at: window.startsAt,
    ends_at: window.endsAt,
    notice: window.notice,
    created_by: window.createdBy,
    created_at: window.createdAt,
  });
}

/** Current and planned ones that were not cancelled, soonest first. */
export function listWindows(db: SqlReader, nowMs: number): Promise<PlannedWindow[]> {
  return db.all<PlannedWindow>(
    `SELECT id, starts_at AS startsAt, ends_at AS endsAt, notice FROM maintenance_windows
     WHERE cancelled_at IS NULL AND ends_at > ? ORDER BY starts_at, id`,
    nowMs,
  );
}

/** 1 if it had not ended and was not cancelled. */
export function cancelWindow(tx: SqlTx, id: string, at: number): Promise<number> {
  return tx.run(
    'UPDATE maintenance_windows SET cancelled_at = ? WHERE id = ? AND cancelled_at IS NULL AND ends_at > ?',
    at,
    id,
    at,
  );
}

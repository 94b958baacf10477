import type { DeletionTime } from '../../domain/clock.ts';
import type { SqlReader } from '../sql/port.ts';
import { COLUMNS, fromRow, type Row, type Session } from './session-rows.ts';

/**
 * Runs of v1 and v2, of any scope, that are open past their time, the longest overdue first. For the server's own
 * housekeeping alone: each row names its own scope.
 */
export async function listOverdueRuns(db: SqlReader, time: DeletionTime, limit: number): Promise<Session[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM sessions WHERE state = 'open' AND generation <> 'v3' AND expires_at <= ?
     ORDER BY expires_at, id LIMIT ?`,
    time,
    limit,
  );
  return rows.map(fromRow);
}

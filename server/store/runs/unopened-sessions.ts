/** Sessions that were created without a secret key and that nobody has opened yet (decisions §6). */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlTx, SqlReader } from '../sql/port.ts';
import type { DeletionTime } from '../../domain/clock.ts';
import { COLUMNS, fromRow, type Row, type Session } from './session-rows.ts';

/** Someone has opened it: it now lives for `lifetimeMs` from its creation. */
export function recordOpened(tx: SqlTx, scope: Scope, id: string, lifetimeMs: number): Promise<number> {
  return tx.run(
    `UPDATE sessions SET unopened_since = NULL, expires_at = created_at + ?
     WHERE company_id = ? AND partition = ? AND id = ? AND unopened_since IS NOT NULL AND state = 'open'`,
    lifetimeMs,
    ...ofScope(scope),
    id,
  );
}

/** Deletes the oldest beyond `most`, at most `limit` of them. Returns how many. */
export function deleteOldestUnopened(
  tx: SqlTx,
  scope: Scope,
  { most, limit }: { most: number; limit: number },
): Promise<number> {
  return tx.run(
    `DELETE FROM sessions WHERE id IN (
       SELECT id FROM sessions
       WHERE company_id = ? AND partition = ? AND unopened_since IS NOT NULL AND state = 'open'
       ORDER BY unopened_since DESC, id DESC LIMIT ? OFFSET ?)`,
    ...ofScope(scope),
    limit,
    most,
  );
}

/**
 * Runs of v1 and v2, of any scope, that are open past their time, the longest overdue first. Only for the server's
 * background jobs: each row names its own scope.
 */
export async function listOverdueRuns(db: SqlReader, time: DeletionTime, limit: number): Promise<Session[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM sessions WHERE state = 'open' AND generation <> 'v3' AND expires_at <= ?
     ORDER BY expires_at, id LIMIT ?`,
    time,
    limit,
  );
  return rows.map((row) => fromRow(db, row));
}

/** Sessions of v2, found by their tokens and their integration's IDs. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { COLUMNS, fromRow, type Row, type Session } from '../runs/session-rows.ts';

/** Records the `vy_token` as issued; only the first time counts. Returns rows changed. */
export function recordStatusToken(
  tx: SqlTx,
  scope: Scope,
  id: string,
  token: { hash: Uint8Array; at: number },
): Promise<number> {
  return tx.run(
    `UPDATE sessions SET status_token_hash = ?, status_token_at = ?
     WHERE company_id = ? AND partition = ? AND id = ? AND status_token_at IS NULL`,
    token.hash,
    token.at,
    ...ofScope(scope),
    id,
  );
}

/** The v2 run of this `vy_token`. */
export async function findSessionByStatusToken(
  db: SqlReader,
  scope: Scope,
  tokenHash: Uint8Array,
): Promise<Session | undefined> {
  const row = await db.one<Row>(
    `SELECT ${COLUMNS} FROM sessions
     WHERE company_id = ? AND partition = ? AND generation = 'v2' AND status_token_hash = ?`,
    ...ofScope(scope),
    tokenHash,
  );
  return row && fromRow(db, row);
}

/**
 * The v2 runs for an integration's own ID: how many there are, and how many of them ended with a pass that is approved
 * and still valid.
 */
export async function countRunsOfReference(
  db: SqlReader,
  scope: Scope,
  referenceUserId: string,
): Promise<{ runs: number; approved: number }> {
  const row = await db.one<{ runs: number; approved: number }>(
    `SELECT COUNT(*) AS runs, COUNT(p.id) AS approved
     FROM connect_users u
     JOIN sessions s ON s.connect_user_id = u.id
     LEFT JOIN passes p ON p.id = s.pass_id AND p.company_id = u.company_id AND p.partition = u.partition
       AND p.status = 'approved' AND p.locked_at IS NULL AND p.revoked_at IS NULL
     WHERE u.company_id = ? AND u.partition = ? AND u.generation = 'v2' AND u.reference_user_id = ?`,
    ...ofScope(scope),
    referenceUserId,
  );
  return row ?? { runs: 0, approved: 0 };
}

/** Calls of the interface, by the Request-Id of their reply. No path, no body, no address: what a call was, not what it said. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type LoggedRequest = {
  id: string;
  scope: Scope;
  at: number;
  /** Its name in the OpenAPI document. */
  operation: string;
  status: number;
  keyId: string | null;
  /** The session that it made or was about, if the reply or the address named it. */
  sessionId: string | null;
};

/** One whose session or company was removed meanwhile is left without it, or out. */
export function insertRequest(tx: SqlTx, { scope, ...call }: LoggedRequest): Promise<number> {
  return tx.run(
    `INSERT INTO request_log (id, company_id, partition, at, operation, status, key_id, session_id)
     SELECT CAST(? AS TEXT), c.id, CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT),
       (SELECT s.id FROM sessions s WHERE s.id = ? AND s.company_id = c.id)
     FROM companies c WHERE c.id = ? ON CONFLICT (id) DO NOTHING`,
    call.id,
    scope.partition,
    call.at,
    call.operation,
    call.status,
    call.keyId,
    call.sessionId,
    scope.companyId,
  );
}

export type FoundRequest = Omit<LoggedRequest, 'scope'>;

/** Only of the company and partition that are being looked at. */
export function findRequest(db: SqlReader, scope: Scope, id: string): Promise<FoundRequest | undefined> {
  return db.one<FoundRequest>(
    `SELECT id, at, operation, status, key_id AS keyId, session_id AS sessionId FROM request_log
     WHERE id = ? AND company_id = ? AND partition = ?`,
    id,
    ...ofScope(scope),
  );
}

/** Those before a time, or before the latest `keep`; at most `limit`. Returns how many there were. */
export const deleteRequests = (
  tx: SqlTx,
  { before, keep }: { before: number; keep: number },
  limit: number,
): Promise<number> =>
  tx.run(
    `DELETE FROM request_log WHERE id IN (SELECT id FROM request_log
       WHERE at < ? OR at < (SELECT at FROM request_log ORDER BY at DESC LIMIT 1 OFFSET ?) ORDER BY at LIMIT ?)`,
    before,
    keep,
    limit,
  );

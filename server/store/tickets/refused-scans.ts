/** Scans that let nobody in, until their source was told. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type RefusedScan = {
  seq: number;
  ticketId: string;
  /** As the source names it. */
  reason: string;
  nonce: string;
  at: number;
};

/** Of one source. A source that takes none for so long is not told the later ones; the report counts them all. */
const MOST_WAITING = 5_000;

/** Nothing for a ticket of a source that is not told. */
export async function insertRefusedScan(
  tx: SqlTx,
  scope: Scope,
  { ticketId, reason, nonce, at }: Omit<RefusedScan, 'seq'>,
): Promise<void> {
  await tx.run(
    `INSERT INTO ticket_refused_scans (company_id, partition, source_id, ticket_id, reason, nonce, at)
     SELECT t.company_id, t.partition, t.source_id, t.id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT)
     FROM tickets t JOIN ticket_sources s ON s.id = t.source_id
     WHERE t.company_id = ? AND t.partition = ? AND t.id = ? AND s.kind = 'pretix'
       AND (SELECT COUNT(*) FROM ticket_refused_scans r WHERE r.source_id = t.source_id) < ${MOST_WAITING}`,
    reason,
    nonce,
    at,
    ...ofScope(scope),
    ticketId,
  );
}

/** Oldest first. */
export function listRefusedScans(
  db: SqlReader,
  scope: Scope,
  { sourceId, limit }: { sourceId: string; limit: number },
): Promise<RefusedScan[]> {
  return db.all<RefusedScan>(
    `SELECT seq, ticket_id AS ticketId, reason, nonce, at FROM ticket_refused_scans
     WHERE source_id = ? AND company_id = ? AND partition = ? ORDER BY seq LIMIT ?`,
    sourceId,
    ...ofScope(scope),
    limit,
  );
}

export function deleteRefusedScan(tx: Pick<SqlTx, 'run'>, scope: Scope, seq: number): Promise<number> {
  return tx.run(
    'DELETE FROM ticket_refused_scans WHERE company_id = ? AND partition = ? AND seq = ?',
    ...ofScope(scope),
    seq,
  );
}

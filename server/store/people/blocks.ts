/** People whom the organiser does not admit, or wants a reviewer to look at. */
import type { BlockAction } from '../../contract/console/blocks.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx, SqlValue } from '../sql/port.ts';

export type Block = {
  id: string;
  personId: string;
  action: BlockAction;
  /** For staff. */
  reason: string;
  /** Whom the guest can ask. */
  contact: string;
  createdAt: number;
  /** An actor of the audit log. */
  createdBy: string;
  createdByName: string | null;
  expiresAt: number;
  /** Ended early, or replaced; null otherwise, also after its expiry. */
  endedAt: number | null;
};

const SELECT = `SELECT b.id, b.person_id AS personId, b.action, b.reason, b.contact, b.created_at AS createdAt,
    b.created_by AS createdBy, o.name AS createdByName, b.expires_at AS expiresAt, b.ended_at AS endedAt
  FROM person_blocks b LEFT JOIN operators o ON b.created_by = 'operator:' || o.id`;

async function list(db: SqlReader, where: string, ...values: SqlValue[]): Promise<Block[]> {
  const rows = await db.all<Block>(`${SELECT} WHERE ${where}`, ...values);
  return rows.map((row) => ({
    ...row,
    reason: db.secrets.open('person_blocks.reason', [row.id], row.reason),
    contact: db.secrets.open('person_blocks.contact', [row.id], row.contact),
  }));
}

export async function insertBlock(
  tx: SqlTx,
  scope: Scope,
  block: Omit<Block, 'createdByName' | 'endedAt'>,
): Promise<void> {
  await insertRow(tx, 'person_blocks', {
    id: block.id,
    ...inScope(scope),
    person_id: block.personId,
    action: block.action,
    reason: tx.secrets.seal('person_blocks.reason', [block.id], block.reason),
    contact: tx.secrets.seal('person_blocks.contact', [block.id], block.contact),
    created_at: block.createdAt,
    created_by: block.createdBy,
    expires_at: block.expiresAt,
  });
}

/** Ends the person's block, also one that has expired; 0 if there is none. */
export function endBlock(tx: SqlTx, scope: Scope, personId: string, at: number): Promise<number> {
  return tx.run(
    `UPDATE person_blocks SET ended_at = ? WHERE company_id = ? AND partition = ? AND person_id = ? AND ended_at IS NULL`,
    at,
    ...ofScope(scope),
    personId,
  );
}

/** All of a person's: the one that has not ended first, whatever the clock was, then the newest. */
export const listBlocksOf = (db: SqlReader, scope: Scope, personId: string): Promise<Block[]> =>
  list(
    db,
    'b.company_id = ? AND b.partition = ? AND b.person_id = ? ORDER BY CASE WHEN b.ended_at IS NULL THEN 0 ELSE 1 END, b.created_at DESC, b.id DESC',
    ...ofScope(scope),
    personId,
  );

/** Those in effect, the newest first, after `after`. */
export const listActiveBlocks = (
  db: SqlReader,
  scope: Scope,
  { now, after, limit }: { now: number; after: readonly [number, string] | null; limit: number },
): Promise<Block[]> =>
  list(
    db,
    `b.company_id = ? AND b.partition = ? AND b.ended_at IS NULL AND b.expires_at > ?
       ${after === null ? '' : 'AND (b.created_at, b.id) < (?, ?)'}
     ORDER BY b.created_at DESC, b.id DESC LIMIT ?`,
    ...ofScope(scope),
    now,
    ...(after ?? []),
    limit,
  );

/** Whether anybody was ever blocked, ended blocks included. */
export async function hasBlocks(db: SqlReader, scope: Scope): Promise<boolean> {
  const row = await db.one(
    'SELECT 1 AS found FROM person_blocks WHERE company_id = ? AND partition = ? LIMIT 1',
    ...ofScope(scope),
  );
  return row !== undefined;
}

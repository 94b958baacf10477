/** Keys by pair, as the console lists them. IDs of pairs are UUIDv7, so they sort by time of issue. */
import type { Scope } from '../../domain/scope.ts';
import { KEY_COLUMNS, type KeyRow } from './keys.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader } from '../sql/port.ts';

export type PairKey = KeyRow & { reason: string | null };

/** Counts the active keys. */
const WORKING = 'COUNT(CASE WHEN revoked_at IS NULL AND (ends_at IS NULL OR ends_at > ?) THEN 1 END)';

/**
 * IDs of pairs, newest first.
 * @param page.working true for pairs with a key that is active at `nowMs`, false for the others, null for all
 */
export async function listPairIds(
  db: SqlReader,
  scope: Scope,
  page: { working: boolean | null; nowMs: number; beforeId: string | null; limit: number },
): Promise<string[]> {
  const { working, nowMs, beforeId, limit } = page;
  const having = working === null ? '' : `HAVING ${WORKING} ${working ? '>' : '='} 0`;
  const rows = await db.all<{ pairId: string }>(
    `SELECT pair_id AS pairId FROM keys
     WHERE company_id = ? AND partition = ? ${beforeId === null ? '' : 'AND pair_id < ?'}
     GROUP BY pair_id ${having} ORDER BY pair_id DESC LIMIT ?`,
    ...ofScope(scope),
    ...(beforeId === null ? [] : [beforeId]),
    ...(working === null ? [] : [nowMs]),
    limit,
  );
  return rows.map(({ pairId }) => pairId);
}

/** The keys of a pair, publishable before secret. */
export function listPairKeys(db: SqlReader, scope: Scope, pairId: string): Promise<PairKey[]> {
  return db.all<PairKey>(
    `SELECT ${KEY_COLUMNS}, reason FROM keys WHERE company_id = ? AND partition = ? AND pair_id = ? ORDER BY kind`,
    ...ofScope(scope),
    pairId,
  );
}

export function findScopedKey(db: SqlReader, scope: Scope, keyId: string): Promise<PairKey | undefined> {
  return db.one<PairKey>(
    `SELECT ${KEY_COLUMNS}, reason FROM keys WHERE company_id = ? AND partition = ? AND id = ?`,
    ...ofScope(scope),
    keyId,
  );
}

/** The next pair of the same family. */
export async function nextPairOf(
  db: SqlReader,
  scope: Scope,
  { lineageId, pairId }: Pick<KeyRow, 'lineageId' | 'pairId'>,
): Promise<string | null> {
  const row = await db.one<{ next: string | null }>(
    `SELECT MIN(pair_id) AS next FROM keys
     WHERE company_id = ? AND partition = ? AND lineage_id = ? AND pair_id > ?`,
    ...ofScope(scope),
    lineageId,
    pairId,
  );
  return row?.next ?? null;
}

/** API-KEY families, which webhooks belong to (decisions §2.5), newest first. */
export async function listConnectLines(
  db: SqlReader,
  scope: Scope,
  page: { beforeId: string | null; limit: number },
): Promise<string[]> {
  const rows = await db.all<{ lineageId: string }>(
    `SELECT lineage_id AS lineageId FROM keys
     WHERE company_id = ? AND partition = ? AND kind = 'ak' ${page.beforeId === null ? '' : 'AND lineage_id < ?'}
     GROUP BY lineage_id ORDER BY lineage_id DESC LIMIT ?`,
    ...ofScope(scope),
    ...(page.beforeId === null ? [] : [page.beforeId]),
    page.limit,
  );
  return rows.map(({ lineageId }) => lineageId);
}

/** Keys of a family, newest first. */
export function listLineKeys(db: SqlReader, scope: Scope, lineageId: string): Promise<PairKey[]> {
  return db.all<PairKey>(
    `SELECT ${KEY_COLUMNS}, reason FROM keys
     WHERE company_id = ? AND partition = ? AND lineage_id = ? ORDER BY pair_id DESC, kind LIMIT 20`,
    ...ofScope(scope),
    lineageId,
  );
}

import type { Partition } from '../../domain/scope.ts';
import { inScope, insertRow } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** `pk` publishable and `sk` secret keys of v3, `ak` the API-KEY of v1 and v2 (decisions §2.1). */
export type KeyKind = 'pk' | 'sk' | 'ak';

export type KeyRow = {
  id: string;
  pairId: string;
  /** Kept through every roll: settings of a key belong to its family (decisions §2.5). */
  lineageId: string;
  companyId: string;
  partition: Partition;
  kind: KeyKind;
  display: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** When a roll ends the key; null while none is in progress. */
  endsAt: number | null;
  revokedAt: number | null;
};

/** Of `KeyRow`. */
export const KEY_COLUMNS = `id, pair_id AS pairId, lineage_id AS lineageId, company_id AS companyId, partition, kind, display, created_at AS createdAt,
  last_used_at AS lastUsedAt, ends_at AS endsAt, revoked_at AS revokedAt`;

export async function insertKey(tx: SqlTx, key: KeyRow, hash: Uint8Array): Promise<void> {
  await insertRow(tx, 'keys', {
    id: key.id,
    pair_id: key.pairId,
    lineage_id: key.lineageId,
    ...inScope(key),
    kind: key.kind,
    hash,
    display: key.display,
    created_at: key.createdAt,
    ends_at: key.endsAt,
  });
}

/** Put together once, because every call of an integrator reads it. */
const BY_HASH = `SELECT ${KEY_COLUMNS}, hash FROM keys WHERE hash = ?`;

/** By the SHA-256 of the whole key; returns the hash so that the caller compares it in constant time. */
export function findKeyByHash(
  db: SqlReader,
  hash: Uint8Array,
): Promise<(KeyRow & { hash: Uint8Array }) | undefined> {
  return db.one<KeyRow & { hash: Uint8Array }>(BY_HASH, hash);
}

/** Of a key that may no longer be active. */
export async function findKeyKind(
  db: SqlReader,
  companyId: string,
  keyId: string,
): Promise<KeyKind | undefined> {
  const row = await db.one<{ kind: KeyKind }>(
    'SELECT kind FROM keys WHERE company_id = ? AND id = ?',
    companyId,
    keyId,
  );
  return row?.kind;
}

export function listKeys(db: SqlReader, companyId: string): Promise<KeyRow[]> {
  return db.all<KeyRow>(
    `SELECT ${KEY_COLUMNS} FROM keys WHERE company_id = ? ORDER BY created_at, id`,
    companyId,
  );
}

/** Every unrevoked key with this ID or of this pair. */
export function listLiveKeysOf(db: SqlReader, companyId: string, keyOrPairId: string): Promise<KeyRow[]> {
  return db.all<KeyRow>(
    `SELECT ${KEY_COLUMNS} FROM keys WHERE company_id = ? AND (id = ? OR pair_id = ?) AND revoked_at IS NULL
     ORDER BY created_at, id`,
    companyId,
    keyOrPairId,
    keyOrPairId,
  );
}

export function revokeKey(
  tx: SqlTx,
  companyId: string,
  keyId: string,
  at: number,
  reason: string,
): Promise<number> {
  return tx.run(
    'UPDATE keys SET revoked_at = ?, reason = ? WHERE company_id = ? AND id = ? AND revoked_at IS NULL',
    at,
    reason,
    companyId,
    keyId,
  );
}

export function endKeyAt(
  tx: SqlTx,
  companyId: string,
  keyId: string,
  endsAt: number,
  reason: string,
): Promise<number> {
  return tx.run(
    'UPDATE keys SET ends_at = ?, reason = ? WHERE company_id = ? AND id = ? AND revoked_at IS NULL',
    endsAt,
    reason,
    companyId,
    keyId,
  );
}

export function touchKey(tx: Pick<SqlTx, 'run'>, keyId: string, usedAt: number): Promise<number> {
  return tx.run(
    'UPDATE keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)',
    usedAt,
    keyId,
    usedAt,
  );
}

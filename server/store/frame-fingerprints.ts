import type { Scope } from '../domain/scope.ts';
import type { SqlReader, SqlTx } from './port.ts';

export type StoredFingerprint = { sha256: Uint8Array; fingerprint: Uint8Array };

/** Whether these very bytes came before in the scope, whenever that was. */
export async function frameBytesSeen(db: SqlReader, scope: Scope, sha256: Uint8Array): Promise<boolean> {
  const row = await db.one(
    'SELECT 1 AS seen FROM frame_fingerprints WHERE company_id = ? AND partition = ? AND sha256 = ?',
    scope.companyId,
    scope.partition,
    sha256,
  );
  return row !== undefined;
}

/** Fingerprints since a time, newest first: what a re-encoded replay is compared with. */
export function listFingerprintsSince(
  db: SqlReader,
  scope: Scope,
  since: number,
  limit: number,
): Promise<StoredFingerprint[]> {
  return db.all<StoredFingerprint>(
    `SELECT sha256, fingerprint FROM frame_fingerprints
     WHERE company_id = ? AND partition = ? AND created_at >= ? ORDER BY created_at DESC LIMIT ?`,
    scope.companyId,
    scope.partition,
    since,
    limit,
  );
}

/** False when the same bytes are there already: another upload of them won the race. */
export async function insertFingerprint(
  tx: SqlTx,
  scope: Scope,
  frame: StoredFingerprint & { sessionId: string; at: number },
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO frame_fingerprints (company_id, partition, sha256, fingerprint, session_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    scope.companyId,
    scope.partition,
    frame.sha256,
    frame.fingerprint,
    frame.sessionId,
    frame.at,
  );
  return changes === 1;
}

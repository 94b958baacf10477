/** Replies that a repeated call gets again. */
import type { DeletionTime } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { deleteSome, inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type KeptReply = { fingerprint: Uint8Array; reply: string; createdAt: number };

export async function findKeptReply(db: SqlReader, scope: Scope, id: string): Promise<KeptReply | undefined> {
  const row = await db.one<KeptReply>(
    `SELECT fingerprint, reply, created_at AS createdAt FROM idempotency_keys
     WHERE company_id = ? AND partition = ? AND id = ?`,
    ...ofScope(scope),
    id,
  );
  return row && { ...row, reply: db.secrets.open('idempotency_keys.reply', [id], row.reply) };
}

/**
 * Keeps a reply in the transaction of its effect, in place of one from before `endedBefore`.
 * @throws UniqueViolation `idempotency_keys_pkey` if another call with the key was first
 */
export async function keepReply(
  tx: SqlTx,
  scope: Scope,
  id: string,
  kept: KeptReply & { subjectId: string; endedBefore: number },
): Promise<void> {
  await tx.run('DELETE FROM idempotency_keys WHERE id = ? AND created_at <= ?', id, kept.endedBefore);
  await insertRow(tx, 'idempotency_keys', {
    id,
    ...inScope(scope),
    fingerprint: kept.fingerprint,
    reply: tx.secrets.seal('idempotency_keys.reply', [id], kept.reply),
    subject_id: kept.subjectId,
    created_at: kept.createdAt,
  });
}

/** Removes up to `limit` replies from before `before`. Returns their number. */
export const deleteOldReplies = (tx: SqlTx, before: DeletionTime, limit: number): Promise<number> =>
  deleteSome(tx.run, { table: 'idempotency_keys', key: 'id', where: 'created_at < ?' }, [before], limit);

/** Removes the replies about a person's runs and passes. Returns their number. */
export async function deleteRepliesAbout(
  tx: SqlTx,
  scope: Scope,
  { personId, subjectIds }: { personId: string; subjectIds: readonly string[] },
): Promise<number> {
  let removed = await tx.run(
    `DELETE FROM idempotency_keys WHERE subject_id IN
       (SELECT id FROM passes WHERE company_id = ? AND partition = ? AND person_id = ?)`,
    ...ofScope(scope),
    personId,
  );
  for (const id of subjectIds)
    removed += await tx.run('DELETE FROM idempotency_keys WHERE subject_id = ?', id);
  return removed;
}

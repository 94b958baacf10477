/** Records of erasures. They identify nobody: the person's ID is random and refers to nothing any more. */
import { ACTOR_NAME, actorJoins } from '../operators/actor-names.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx, SqlValue } from '../sql/port.ts';
import { inScope, insertRow, ofScope, toJson } from '../rows.ts';

export type ErasureProofRow = {
  id: string;
  companyId: string;
  partition: string;
  personId: string;
  erasedAt: number;
  actor: string;
  actorName: string | null;
  reason: string | null;
  /** JSON: rows by table. */
  removed: string;
  remaining: number;
  auditSeq: number | null;
  auditHash: Uint8Array | null;
};

export async function insertErasureProof(
  tx: SqlTx,
  scope: Scope,
  proof: {
    id: string;
    personId: string;
    erasedAt: number;
    actor: string;
    reason: string | null;
    removed: Record<string, number>;
    remaining: number;
  },
): Promise<void> {
  await insertRow(tx, 'erasure_proofs', {
    id: proof.id,
    ...inScope(scope),
    person_id: proof.personId,
    erased_at: proof.erasedAt,
    actor: proof.actor,
    reason: proof.reason,
    removed: toJson(proof.removed),
    remaining: proof.remaining,
  });
  // Open pages may show the person.
  tx.afterCommit('session', scope.companyId);
  tx.afterCommit('case', scope.companyId);
}

/** With the entry of the audit log that was written in the same transaction. */
const SELECT = `SELECT e.id, e.company_id AS companyId, e.partition, e.person_id AS personId, e.erased_at AS erasedAt,
    e.actor, ${ACTOR_NAME} AS actorName, e.reason, e.removed, e.remaining, a.seq AS auditSeq, a.hash AS auditHash
  FROM erasure_proofs e
  ${actorJoins('e.actor')}
  LEFT JOIN audit_entries a ON a.subject = e.person_id AND a.action = 'person.erase' AND a.at = e.erased_at
  WHERE e.company_id = ? AND e.partition = ?`;

export function findErasureProof(
  db: SqlReader,
  scope: Scope,
  id: string,
): Promise<ErasureProofRow | undefined> {
  return db.one<ErasureProofRow>(`${SELECT} AND e.id = ?`, ...ofScope(scope), id);
}

/** Newest first; of one person or by its own ID if `sought` is given. */
export function listErasureProofs(
  db: SqlReader,
  scope: Scope,
  sought: string | null,
  after: { erasedAt: number; id: string } | null,
  limit: number,
): Promise<ErasureProofRow[]> {
  const values: SqlValue[] = ofScope(scope);
  let where = '';
  if (sought !== null) {
    where += ' AND (e.person_id = ? OR e.id = ?)';
    values.push(sought, sought);
  }
  if (after !== null) {
    where += ' AND (e.erased_at, e.id) < (?, ?)';
    values.push(after.erasedAt, after.id);
  }
  return db.all<ErasureProofRow>(
    `${SELECT}${where} ORDER BY e.erased_at DESC, e.id DESC LIMIT ?`,
    ...values,
    limit,
  );
}

/** Who has a case before them, and what they decided before it takes effect. Every change is conditional: of two, one wins. */
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import type { Decision } from './cases.ts';

type Claim = { operatorId: string; at: number; leaseUntil: number };

const IS_WAITING = `company_id = ? AND partition = ? AND decision IS NULL AND pending_decision IS NULL`;
const own = ({ companyId, partition }: Scope) => [companyId, partition] as const;

/** Takes a case that nobody else holds, or renews one's own; 0 where somebody else does. */
export function leaseCase(tx: SqlTx, scope: Scope, id: string, claim: Claim): Promise<number> {
  return tx.run(
    `UPDATE review_cases SET claimed_at = CASE WHEN claimed_by = ? AND lease_until > ? THEN claimed_at ELSE ? END, claimed_by = ?,
       lease_until = ?
     WHERE ${IS_WAITING} AND id = ? AND (claimed_by IS NULL OR claimed_by = ? OR lease_until <= ?)`,
    claim.operatorId,
    claim.at,
    claim.at,
    claim.operatorId,
    claim.leaseUntil,
    ...own(scope),
    id,
    claim.operatorId,
    claim.at,
  );
}

/** The oldest case that nobody holds; with it, one of the operator's own that was opened before. */
export async function oldestFreeCase(
  tx: SqlReader,
  scope: Scope,
  { operatorId, at }: Pick<Claim, 'operatorId' | 'at'>,
): Promise<string | undefined> {
  const row = await tx.one<{ id: string }>(
    `SELECT id FROM review_cases
     WHERE ${IS_WAITING} AND (claimed_by IS NULL OR claimed_by = ? OR lease_until <= ?)
     ORDER BY opened_at, id LIMIT 1`,
    ...own(scope),
    operatorId,
    at,
  );
  return row?.id;
}

/** Releases the reviewer’s own case; 0 if they do not hold it. */
export function releaseCase(tx: SqlTx, scope: Scope, id: string, operatorId: string): Promise<number> {
  return tx.run(
    `UPDATE review_cases SET claimed_by = NULL, claimed_at = NULL, lease_until = NULL
     WHERE ${IS_WAITING} AND id = ? AND claimed_by = ?`,
    ...own(scope),
    id,
    operatorId,
  );
}

/** Records the decision of the case’s holder; 0 if the lease has expired or somebody else decided first. */
export function decideLater(
  tx: SqlTx,
  scope: Scope,
  id: string,
  by: { operatorId: string; decision: Decision; reason: string; at: number; effectiveAt: number },
): Promise<number> {
  return tx.run(
    `UPDATE review_cases SET pending_decision = ?, pending_reason = ?, pending_by = ?, pending_at = ?,
       decision_effective_at = ?
     WHERE ${IS_WAITING} AND id = ? AND claimed_by = ? AND lease_until > ?`,
    by.decision,
    by.reason,
    by.operatorId,
    by.at,
    by.effectiveAt,
    ...own(scope),
    id,
    by.operatorId,
    by.at,
  );
}

/** Takes one's own decision back while it has no effect; the case is held again. 0 where it is too late. */
export function undoDecision(tx: SqlTx, scope: Scope, id: string, claim: Claim): Promise<number> {
  return tx.run(
    `UPDATE review_cases SET pending_decision = NULL, pending_reason = NULL, pending_by = NULL, pending_at = NULL,
       decision_effective_at = NULL, claimed_by = ?, claimed_at = ?, lease_until = ?
     WHERE company_id = ? AND partition = ? AND id = ? AND decision IS NULL AND pending_by = ?
       AND decision_effective_at > ?`,
    claim.operatorId,
    claim.at,
    claim.leaseUntil,
    ...own(scope),
    id,
    claim.operatorId,
    claim.at,
  );
}

export type DueCase = { id: string; companyId: string };

/** Cases whose decision takes effect by now, the longest due first. Of all companies: the service settles them. */
export function listDueCases(db: SqlReader, now: number, limit: number): Promise<DueCase[]> {
  return db.all<DueCase>(
    `SELECT id, company_id AS companyId FROM review_cases
     WHERE decision IS NULL AND decision_effective_at IS NOT NULL AND decision_effective_at <= ?
     ORDER BY decision_effective_at LIMIT ?`,
    now,
    limit,
  );
}

/** A decision that could not be settled waits once more; until then it can be undone again. */
export function postponeDecision(tx: SqlTx, companyId: string, id: string, until: number): Promise<number> {
  return tx.run(
    `UPDATE review_cases SET decision_effective_at = ?
     WHERE company_id = ? AND id = ? AND decision IS NULL AND decision_effective_at IS NOT NULL`,
    until,
    companyId,
    id,
  );
}

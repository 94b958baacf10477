/** Who holds a case, and decisions that have not taken effect. Updates are conditional: of two at once, one succeeds. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import type { Decision } from './cases.ts';
import { mayDecide } from './opinions.ts';

type Claim = { operatorId: string; at: number; leaseUntil: number };

const IS_WAITING = `company_id = ? AND partition = ? AND decision IS NULL AND pending_decision IS NULL`;
const NOT_PENDING = `pending_decision = NULL, pending_reason = NULL, pending_by = NULL, pending_at = NULL,
  decision_effective_at = NULL`;
/** Whether an operator `o` can review cases of a company, a column or a parameter. */
const canReview = (company: '?' | 'review_cases.company_id'): string =>
  `o.disabled_at IS NULL AND o.role IN ('reviewer', 'admin') AND (o.all_companies = 1
  OR EXISTS (SELECT 1 FROM operator_companies oc WHERE oc.operator_id = o.id AND oc.company_id = ${company}))`;

/** Whether an operator can still review the case: a request may outlive the right to it. Binds the operator. */
const STILL_THEIRS = `EXISTS (SELECT 1 FROM operators o WHERE o.id = ? AND ${canReview('review_cases.company_id')})`;

/**
 * Takes a case that nobody else holds, or renews the operator's own lease; 0 if someone else holds it or the operator can no
 * longer review it.
 */
export function leaseCase(tx: SqlTx, scope: Scope, id: string, claim: Claim): Promise<number> {
  return tx.run(
    `UPDATE review_cases SET claimed_by = ?, lease_until = ?
     WHERE ${IS_WAITING} AND id = ? AND (claimed_by IS NULL OR claimed_by = ? OR lease_until <= ?) AND ${STILL_THEIRS}
       AND ${mayDecide('?')}`,
    claim.operatorId,
    claim.leaseUntil,
    ...ofScope(scope),
    id,
    claim.operatorId,
    claim.at,
    claim.operatorId,
    claim.operatorId,
    claim.operatorId,
  );
}

/**
 * The case that the operator should decide next: the oldest one assigned to them, otherwise the oldest unassigned one. Cases
 * that another reviewer holds, or that are assigned to one who can still decide them, are left to that reviewer.
 */
export async function oldestFreeCase(
  tx: SqlReader,
  scope: Scope,
  { operatorId, at }: Pick<Claim, 'operatorId' | 'at'>,
): Promise<string | undefined> {
  const row = await tx.one<{ id: string }>(
    `SELECT id FROM review_cases
     WHERE ${IS_WAITING} AND (claimed_by IS NULL OR claimed_by = ? OR lease_until <= ?) AND ${mayDecide('?')}
       AND (assigned_to IS NULL OR assigned_to = ?
         OR NOT EXISTS (SELECT 1 FROM operators o WHERE o.id = assigned_to AND ${canReview('?')})
         OR NOT ${mayDecide('review_cases.assigned_to')})
     ORDER BY CASE WHEN assigned_to = ? THEN 0 ELSE 1 END, opened_at, id LIMIT 1`,
    ...ofScope(scope),
    operatorId,
    at,
    operatorId,
    operatorId,
    operatorId,
    scope.companyId,
    operatorId,
  );
  return row?.id;
}

/** Assigns a waiting case, or takes its assignment away (null); 0 if it is decided or already assigned so. */
export function assignCase(tx: SqlTx, scope: Scope, id: string, assignee: string | null): Promise<number> {
  return tx.run(
    `UPDATE review_cases SET assigned_to = ? WHERE ${IS_WAITING} AND id = ? AND COALESCE(assigned_to, '') <> ?`,
    assignee,
    ...ofScope(scope),
    id,
    assignee ?? '',
  );
}

/** Releases the reviewer’s own case; 0 if they do not hold it. */
export function releaseCase(tx: SqlTx, scope: Scope, id: string, operatorId: string): Promise<number> {
  return tx.run(
    `UPDATE review_cases SET claimed_by = NULL, lease_until = NULL
     WHERE ${IS_WAITING} AND id = ? AND claimed_by = ?`,
    ...ofScope(scope),
    id,
    operatorId,
  );
}

/**
 * Releases the operator's cases that they can no longer decide, and drops their decisions on them that have not taken effect:
 * nobody else could undo one. So are their opinions, where they can no longer review.
 * @returns the cases whose decision was dropped
 */
export async function releaseLostCases(
  tx: SqlTx,
  operatorId: string,
): Promise<(Scope & { id: string; decision: Decision })[]> {
  const lost = `decision IS NULL AND NOT ${STILL_THEIRS}`;
  const beyond = `decision IS NULL AND NOT (${STILL_THEIRS} AND ${mayDecide('?')})`;
  const dropped = await tx.all<Scope & { id: string; decision: Decision }>(
    `SELECT id, company_id AS companyId, partition, pending_decision AS decision FROM review_cases
     WHERE pending_by = ? AND ${beyond} ORDER BY id`,
    operatorId,
    operatorId,
    operatorId,
    operatorId,
  );
  await tx.run(
    `UPDATE review_cases SET ${NOT_PENDING}
     WHERE pending_by = ? AND ${beyond}`,
    operatorId,
    operatorId,
    operatorId,
    operatorId,
  );
  const given = `SELECT v.case_id FROM review_opinions v WHERE v.operator_id = ?`;
  await tx.run(
    `DELETE FROM review_opinions WHERE operator_id = ? AND case_id IN (SELECT id FROM review_cases WHERE id IN (${given}) AND ${lost})`,
    operatorId,
    operatorId,
    operatorId,
  );
  await tx.run(
    `UPDATE review_cases SET claimed_by = NULL, lease_until = NULL WHERE claimed_by = ? AND ${beyond}`,
    operatorId,
    operatorId,
    operatorId,
    operatorId,
  );
  tx.afterCommit('case');
  return dropped;
}

/** Operators who can review cases of the company, by name. */
export function listReviewers(
  db: SqlReader,
  companyId: string,
): Promise<{ operator_id: string; name: string }[]> {
  return db.all(
    `SELECT o.id AS operator_id, o.name FROM operators o
     WHERE ${canReview('?')} ORDER BY o.name_key`,
    companyId,
  );
}

/** Records the decision of the case’s holder; 0 if the lease has expired or someone else decided first. */
export function decideLater(
  tx: SqlTx,
  scope: Scope,
  id: string,
  by: { operatorId: string; decision: Decision; reason: string; at: number; effectiveAt: number },
): Promise<number> {
  tx.afterCommit('decisions');
  return tx.run(
    `UPDATE review_cases SET pending_decision = ?, pending_reason = ?, pending_by = ?, pending_at = ?,
       decision_effective_at = ?
     WHERE ${IS_WAITING} AND id = ? AND claimed_by = ? AND lease_until > ?`,
    by.decision,
    by.reason,
    by.operatorId,
    by.at,
    by.effectiveAt,
    ...ofScope(scope),
    id,
    by.operatorId,
    by.at,
  );
}

/**
 * Undoes the operator's own decision before it takes effect, and gives them the case again. 0 if it is too late, or the
 * operator can no longer review it.
 */
export function undoDecision(tx: SqlTx, scope: Scope, id: string, claim: Claim): Promise<number> {
  return tx.run(
    `UPDATE review_cases SET ${NOT_PENDING}, claimed_by = ?, lease_until = ?
     WHERE company_id = ? AND partition = ? AND id = ? AND decision IS NULL AND pending_by = ?
       AND decision_effective_at > ? AND ${STILL_THEIRS}`,
    claim.operatorId,
    claim.leaseUntil,
    ...ofScope(scope),
    id,
    claim.operatorId,
    claim.at,
    claim.operatorId,
  );
}

type DueCase = { id: string; companyId: string };

/** Cases whose decision is due, the longest due first. In all companies: the service settles them. */
export function listDueCases(db: SqlReader, now: number, limit: number): Promise<DueCase[]> {
  return db.all<DueCase>(
    `SELECT id, company_id AS companyId FROM review_cases
     WHERE decision IS NULL AND decision_effective_at IS NOT NULL AND decision_effective_at <= ?
     ORDER BY decision_effective_at LIMIT ?`,
    now,
    limit,
  );
}

/** When the next decision takes effect; undefined if none waits. */
export async function nextDecisionAt(db: SqlReader): Promise<number | undefined> {
  const next = await db.one<{ at: number }>(
    `SELECT decision_effective_at AS at FROM review_cases
     WHERE decision IS NULL AND decision_effective_at IS NOT NULL ORDER BY decision_effective_at LIMIT 1`,
  );
  return next?.at;
}

/** Delays a decision that could not be settled; until then it can be undone again. */
export function postponeDecision(tx: SqlTx, companyId: string, id: string, until: number): Promise<number> {
  tx.afterCommit('case', companyId);
  return tx.run(
    `UPDATE review_cases SET decision_effective_at = ?
     WHERE company_id = ? AND id = ? AND decision IS NULL AND decision_effective_at IS NOT NULL`,
    until,
    companyId,
    id,
  );
}

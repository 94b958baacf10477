/** What reviewers decided about a case that needs a second opinion, before it is settled. */
import { MOST_OPINIONS } from '../../domain/reviews/opinions.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import type { Decision } from './cases.ts';

export type Opinion = {
  operatorId: string;
  operatorName: string;
  decision: Decision;
  /** Null once the person was erased. */
  reason: string | null;
  givenAt: number;
};

const GIVEN = '(SELECT COUNT(*) FROM review_opinions v WHERE v.case_id = review_cases.id)';

/**
 * Whether an operator, a column or a parameter that is bound twice, may still decide about the case: nobody twice, until two
 * differ and an admin decides.
 */
export const mayDecide = (operator: '?' | 'review_cases.assigned_to'): string => `(${GIVEN} < ${MOST_OPINIONS}
    AND NOT EXISTS (SELECT 1 FROM review_opinions v WHERE v.case_id = review_cases.id AND v.operator_id = ${operator})
  OR ${GIVEN} >= ${MOST_OPINIONS} AND EXISTS (SELECT 1 FROM operators a WHERE a.id = ${operator} AND a.role = 'admin'))`;

/** Whether a case, held by anybody or nobody, is not beyond the operator because of the opinions on it. */
export async function isOpenTo(
  db: SqlReader,
  scope: Scope,
  caseId: string,
  operatorId: string,
): Promise<boolean> {
  const found = await db.one(
    `SELECT 1 AS found FROM review_cases WHERE company_id = ? AND partition = ? AND id = ? AND ${mayDecide('?')}`,
    ...ofScope(scope),
    caseId,
    operatorId,
    operatorId,
  );
  return found !== undefined;
}

/** First given first. */
export async function listOpinions(db: SqlReader, scope: Scope, caseId: string): Promise<Opinion[]> {
  const rows = await db.all<Opinion>(
    `SELECT v.operator_id AS operatorId, o.name AS operatorName, v.decision, v.reason, v.given_at AS givenAt
     FROM review_opinions v JOIN operators o ON o.id = v.operator_id
     WHERE v.company_id = ? AND v.partition = ? AND v.case_id = ? ORDER BY v.given_at, v.operator_id`,
    ...ofScope(scope),
    caseId,
  );
  return rows.map((row) => ({
    ...row,
    reason: db.secrets.open('review_opinions.reason', [caseId, row.operatorId], row.reason),
  }));
}

/**
 * Writes the holder's opinion, and frees the case for somebody else. 0 if the operator no longer holds it. The assignment ends,
 * because it would keep the case from everybody else.
 */
export async function handOn(
  tx: SqlTx,
  scope: Scope,
  caseId: string,
  by: { operatorId: string; decision: Decision; reason: string; at: number },
): Promise<number> {
  const freed = await tx.run(
    `UPDATE review_cases SET claimed_by = NULL, lease_until = NULL, assigned_to = NULL
     WHERE company_id = ? AND partition = ? AND decision IS NULL AND pending_decision IS NULL AND id = ?
       AND claimed_by = ? AND lease_until > ?`,
    ...ofScope(scope),
    caseId,
    by.operatorId,
    by.at,
  );
  if (freed === 0) return 0;
  return insertRow(tx, 'review_opinions', {
    case_id: caseId,
    operator_id: by.operatorId,
    ...inScope(scope),
    decision: by.decision,
    reason: tx.secrets.seal('review_opinions.reason', [caseId, by.operatorId], by.reason),
    given_at: by.at,
  });
}

/** Takes back the operator's opinion if it is the only one and nobody has the case; 0 otherwise. */
export function takeBack(
  tx: SqlTx,
  scope: Scope,
  caseId: string,
  { operatorId, at }: { operatorId: string; at: number },
): Promise<number> {
  return tx.run(
    `DELETE FROM review_opinions WHERE company_id = ? AND partition = ? AND case_id = ? AND operator_id = ?
       AND NOT EXISTS (SELECT 1 FROM review_opinions v WHERE v.case_id = review_opinions.case_id
         AND v.operator_id <> review_opinions.operator_id)
       AND EXISTS (SELECT 1 FROM review_cases c WHERE c.id = review_opinions.case_id AND c.decision IS NULL
         AND c.pending_decision IS NULL AND (c.claimed_by IS NULL OR c.lease_until <= ?))`,
    ...ofScope(scope),
    caseId,
    operatorId,
    at,
  );
}

type Agreement = { operatorId: string; name: string; decided: number; differed: number };

/**
 * For each reviewer: their decisions about which somebody else decided too, and how many of those came out otherwise. By name.
 * An admin who decides between two is measured by nobody.
 * @param since from which time on cases count that were settled
 */
export function listAgreement(db: SqlReader, scope: Scope, since: number): Promise<Agreement[]> {
  const settled = 'c.company_id = ? AND c.partition = ? AND c.decision IS NOT NULL AND c.decided_at >= ?';
  const own = [...ofScope(scope), since] as const;
  return db.all<Agreement>(
    `SELECT o.id AS operatorId, o.name, COUNT(*) AS decided, SUM(m.differs) AS differed FROM (
       SELECT v.operator_id AS operator_id, CASE WHEN v.decision <> c.decision THEN 1 ELSE 0 END AS differs
       FROM review_cases c JOIN review_opinions v ON v.case_id = c.id
       WHERE ${settled} AND c.decided_by <> 'operator:' || v.operator_id
       UNION ALL
       SELECT s.id, 0 FROM review_cases c JOIN operators s ON c.decided_by = 'operator:' || s.id
       WHERE ${settled} AND (SELECT COUNT(*) FROM review_opinions v WHERE v.case_id = c.id) = 1
     ) AS m JOIN operators o ON o.id = m.operator_id
     GROUP BY o.id, o.name ORDER BY o.name, o.id`,
    ...own,
    ...own,
  );
}

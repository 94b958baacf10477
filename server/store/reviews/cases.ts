import type { Enrolment } from '../../domain/matching/template-set.ts';
import type { Reason } from '../../domain/settling/reasons.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import {
  fromFloat32,
  fromJson,
  inScope,
  insertRow,
  insertUnlessThere,
  ofScope,
  toFloat32,
  toJson,
} from '../rows.ts';
import type { ReviewDecisionName } from '../../contract/console/reviews.ts';

export type Decision = ReviewDecisionName;

/** A run in review: the findings, and the checked data. */
export type ReviewCase = {
  id: string;
  sessionId: string;
  passId: string;
  reasons: Reason[];
  groups: string[];
  /** People whom the face may belong to, likeliest first. */
  suspectIds: string[];
  /** Data that an approval enrols; null for a run that had ended, and once the case is decided. */
  enrolment: Enrolment | null;
  score: number | null;
  /** Null if nothing was measured: a test face, or nobody to compare with. */
  likeness?: CaseLikeness | null;
  openedAt: number;
};

/** Cosines from the match, and the thresholds at that time. */
export type CaseLikeness = {
  /** Of `suspectIds`, in the same order; null if the face was not decisive. */
  similarities: (number | null)[];
  near: number;
  same: number;
};

/** A reviewer's decision in the console, before it takes effect. */
type PendingDecision = { decision: Decision; reason: string; by: string; effectiveAt: number };

export type StoredCase = ReviewCase & {
  scope: Scope;
  likeness: CaseLikeness | null;
  pending: PendingDecision | null;
  decision: Decision | null;
  decidedAt: number | null;
};

type Row = Omit<
  StoredCase,
  'scope' | 'reasons' | 'groups' | 'suspectIds' | 'enrolment' | 'likeness' | 'pending'
> &
  Scope & {
    reasons: string;
    groups: string;
    suspectIds: string;
    testFace: string | null;
    model: string | null;
    vector: Uint8Array | null;
    quality: number | null;
    similarities: string | null;
    near: number | null;
    same: number | null;
    pendingDecision: Decision | null;
    pendingReason: string | null;
    pendingBy: string | null;
    effectiveAt: number | null;
  };

const COLUMNS = `id, session_id AS sessionId, company_id AS companyId, partition, pass_id AS passId, reasons, groups,
  suspect_ids AS suspectIds, test_face AS testFace, model, vector, quality, score, similarities,
  near_threshold AS near, same_threshold AS same, opened_at AS openedAt, pending_decision AS pendingDecision,
  pending_reason AS pendingReason, pending_by AS pendingBy, decision_effective_at AS effectiveAt, decision,
  decided_at AS decidedAt`;

function fromRow({ secrets }: SqlReader, row: Row): StoredCase {
  const vector = secrets.open('review_cases.vector', [row.id], row.vector);
  return {
    id: row.id,
    scope: { companyId: row.companyId, partition: row.partition },
    sessionId: row.sessionId,
    passId: row.passId,
    reasons: fromJson<Reason[]>(row.reasons),
    groups: fromJson<string[]>(row.groups),
    suspectIds: fromJson<string[]>(row.suspectIds),
    enrolment: enrolmentOf(row, vector),
    score: row.score,
    likeness: likenessOf(row),
    openedAt: row.openedAt,
    pending: pendingOf(row),
    decision: row.decision,
    decidedAt: row.decidedAt,
  };
}

function enrolmentOf({ model, quality, testFace }: Row, vector: Uint8Array | null): Enrolment | null {
  if (model !== null && vector !== null)
    return { kind: 'template', model, vector: toFloat32(vector), quality: quality ?? 0 };
  // Older versions stored an empty name for a case that staff opened.
  return testFace === null || testFace === '' ? null : { kind: 'test_face', name: testFace };
}

function likenessOf({ similarities, near, same }: Row): CaseLikeness | null {
  if (similarities === null || near === null || same === null) return null;
  return { similarities: fromJson<(number | null)[]>(similarities), near, same };
}

function pendingOf({ pendingDecision, pendingReason, pendingBy, effectiveAt }: Row): PendingDecision | null {
  if (pendingDecision === null || pendingBy === null || effectiveAt === null) return null;
  return { decision: pendingDecision, reason: pendingReason ?? '', by: pendingBy, effectiveAt };
}

export async function insertCase(tx: SqlTx, scope: Scope, opened: ReviewCase): Promise<void> {
  const template = opened.enrolment?.kind === 'template' ? opened.enrolment : null;
  await insertRow(tx, 'review_cases', {
    id: opened.id,
    session_id: opened.sessionId,
    ...inScope(scope),
    pass_id: opened.passId,
    reasons: toJson(opened.reasons),
    groups: toJson(opened.groups),
    suspect_ids: toJson(opened.suspectIds),
    test_face: opened.enrolment?.kind === 'test_face' ? opened.enrolment.name : null,
    model: template?.model ?? null,
    vector: template && tx.secrets.seal('review_cases.vector', [opened.id], fromFloat32(template.vector)),
    quality: template?.quality ?? null,
    score: opened.score,
    similarities: opened.likeness ? toJson(opened.likeness.similarities) : null,
    near_threshold: opened.likeness?.near ?? null,
    same_threshold: opened.likeness?.same ?? null,
    opened_at: opened.openedAt,
  });
  tx.afterCommit('case', scope.companyId);
}

async function oneWhere(db: SqlReader, where: string, ...params: string[]): Promise<StoredCase | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM review_cases WHERE ${where}`, ...params);
  return row && fromRow(db, row);
}

export function findCase(db: SqlReader, companyId: string, id: string): Promise<StoredCase | undefined> {
  return oneWhere(db, 'company_id = ? AND id = ?', companyId, id);
}

/** For the command line, where a case is identified only by its ID. */
export function findCaseAnywhere(db: SqlReader, id: string): Promise<StoredCase | undefined> {
  return oneWhere(db, 'id = ?', id);
}

export function findOpenCaseOf(
  db: SqlReader,
  scope: Scope,
  sessionId: string,
): Promise<StoredCase | undefined> {
  const where = 'company_id = ? AND partition = ? AND session_id = ? AND decision IS NULL';
  return oneWhere(db, where, ...ofScope(scope), sessionId);
}

/** The case that led to a pass, or that staff opened about it; a pass has at most one. */
export function findCaseOfPass(db: SqlReader, scope: Scope, passId: string): Promise<StoredCase | undefined> {
  return oneWhere(db, 'company_id = ? AND partition = ? AND pass_id = ?', ...ofScope(scope), passId);
}

/** Open cases of a company, oldest first. */
export async function listOpenCases(db: SqlReader, companyId: string): Promise<StoredCase[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM review_cases WHERE company_id = ? AND decision IS NULL ORDER BY opened_at, id`,
    companyId,
  );
  return rows.map((row) => fromRow(db, row));
}

/** Those of the people who still exist: one may have been erased since the case opened. */
export async function stillThere(
  db: SqlReader,
  scope: Scope,
  personIds: readonly string[],
): Promise<string[]> {
  const there: string[] = [];
  for (const id of personIds) {
    const found = await db.one(
      'SELECT 1 AS found FROM people WHERE company_id = ? AND partition = ? AND id = ?',
      ...ofScope(scope),
      id,
    );
    if (found) there.push(id);
  }
  return there;
}

/** 1 for the decision that counts, 0 for any later one. The checked data is deleted with the decision. */
export function decideCase(
  tx: SqlTx,
  scope: Scope,
  id: string,
  decision: { decision: Decision; reason: string; by: string; at: number },
): Promise<number> {
  tx.afterCommit('case', scope.companyId);
  return tx.run(
    `UPDATE review_cases SET decision = ?, decision_reason = ?, decided_by = ?, decided_at = ?, vector = NULL
     WHERE company_id = ? AND partition = ? AND id = ? AND decision IS NULL`,
    decision.decision,
    decision.reason,
    decision.by,
    decision.at,
    ...ofScope(scope),
    id,
  );
}

/**
 * Returns a case to the queue with new findings; drops a pending decision, and opinions: nobody has seen all that the case is
 * about now.
 */
export async function reopenCase(
  tx: SqlTx,
  scope: Scope,
  id: string,
  found: Pick<ReviewCase, 'reasons' | 'groups' | 'suspectIds' | 'likeness'>,
): Promise<void> {
  await tx.run(
    'DELETE FROM review_opinions WHERE company_id = ? AND partition = ? AND case_id = ?',
    ...ofScope(scope),
    id,
  );
  await tx.run(
    `UPDATE review_cases SET reasons = ?, groups = ?, suspect_ids = ?, similarities = ?, pending_decision = NULL,
       pending_reason = NULL, pending_by = NULL, pending_at = NULL, decision_effective_at = NULL, claimed_by = NULL,
       lease_until = NULL
     WHERE company_id = ? AND partition = ? AND id = ? AND decision IS NULL`,
    toJson(found.reasons),
    toJson(found.groups),
    toJson(found.suspectIds),
    found.likeness ? toJson(found.likeness.similarities) : null,
    ...ofScope(scope),
    id,
  );
  tx.afterCommit('case', scope.companyId);
}

/** Stores that two people are different. */
export async function insertDistinctPair(
  tx: SqlTx,
  scope: Scope,
  people: readonly [string, string],
  at: number,
): Promise<void> {
  const [a, b] = [...people].sort();
  if (a === undefined || b === undefined || a === b) return;
  await insertUnlessThere(tx, 'distinct_pairs', {
    ...inScope(scope),
    person_a: a,
    person_b: b,
    decided_at: at,
  });
}

/** 0 if they were not told apart. */
export function deleteDistinctPair(
  tx: SqlTx,
  scope: Scope,
  people: readonly [string, string],
): Promise<number> {
  const [a = '', b = ''] = [...people].sort();
  return tx.run(
    'DELETE FROM distinct_pairs WHERE company_id = ? AND partition = ? AND person_a = ? AND person_b = ?',
    ...ofScope(scope),
    a,
    b,
  );
}

/** Whether a reviewer has told these two apart. */
export async function areDistinct(
  db: SqlReader,
  scope: Scope,
  people: readonly [string, string],
): Promise<boolean> {
  const [a, b] = [...people].sort();
  const row = await db.one(
    `SELECT 1 AS found FROM distinct_pairs WHERE company_id = ? AND partition = ? AND person_a = ? AND person_b = ?`,
    ...ofScope(scope),
    a ?? '',
    b ?? '',
  );
  return row !== undefined;
}

/** Control cases: their pictures, those that wait, and how reviewers decided them. */
import type { ControlAnswer } from '../../domain/reviews/controls.ts';
import type { FaceFraming } from '../../domain/reviews/framing.ts';
import type { Scope } from '../../domain/scope.ts';
import { deleteSome, fromJson, inScope, insertRow, ofScope, OVER_AT_ONCE, toJson } from '../rows.ts';
import { announceSession } from '../runs/session-rows.ts';
import type { SqlReader, SqlTx, SqlValue } from '../sql/port.ts';
import type { Decision } from './cases.ts';

/** `name`: of the person shown, as the admin calls them. */
export type ControlPicture = {
  id: string;
  name: string;
  jpeg: Uint8Array;
  framing: FaceFraming;
  addedAt: number;
  deleteAfter: number;
};

export function insertControlPicture(tx: SqlTx, picture: ControlPicture): Promise<number> {
  const { id, name, jpeg, framing, addedAt, deleteAfter } = picture;
  return insertRow(tx, 'control_pictures', {
    id,
    name,
    jpeg: tx.secrets.seal('control_pictures.jpeg', [id], jpeg),
    framing: toJson(framing),
    added_at: addedAt,
    delete_after: deleteAfter,
  });
}

/** Without loading them; by name, oldest first. */
export function listControlPictures(
  db: SqlReader,
  now: number,
): Promise<Pick<ControlPicture, 'id' | 'name' | 'deleteAfter'>[]> {
  return db.all(
    'SELECT id, name, delete_after AS deleteAfter FROM control_pictures WHERE delete_after > ? ORDER BY name, id',
    now,
  );
}

export async function readControlPicture(
  db: SqlReader,
  id: string,
  now: number,
): Promise<Pick<ControlPicture, 'jpeg' | 'framing'> | undefined> {
  const row = await db.one<{ jpeg: Uint8Array; framing: string }>(
    'SELECT jpeg, framing FROM control_pictures WHERE id = ? AND delete_after > ?',
    id,
    now,
  );
  return (
    row && {
      jpeg: db.secrets.open('control_pictures.jpeg', [id], row.jpeg),
      framing: fromJson<FaceFraming>(row.framing),
    }
  );
}

/** Returns how many there were. */
export const deleteControlPictures = (tx: SqlTx, name: string): Promise<number> =>
  tx.run('DELETE FROM control_pictures WHERE name = ?', name);

/** Pictures whose last day is over, and results that nobody is shown any more; of each at most `OVER_AT_ONCE`. */
export async function forgetControls(
  tx: SqlTx,
  { now, decidedBefore }: { now: number; decidedBefore: number },
): Promise<void> {
  const pictures = { table: 'control_pictures', key: 'id', where: 'delete_after <= ?' };
  await deleteSome(tx.run, pictures, [now], OVER_AT_ONCE);
  const results = { table: 'control_results', key: 'case_id, operator_id', where: 'decided_at < ?' };
  await deleteSome(tx.run, results, [decidedBefore], OVER_AT_ONCE);
}

/** A case that waits for a decision, and the rows that make it look like any other. */
export type Control = {
  caseId: string;
  scope: Scope;
  answer: ControlAnswer;
  /** The people shown. */
  names: string[];
  sessionId: string;
  /** Of the check that the person shown beside it seems to have passed. */
  pastSessionId: string;
  personId: string;
  /** Of a template that does not exist: nobody is compared with the person. */
  model: string;
  quality: number;
  enrolledAt: number;
  openedAt: number;
};

export function insertControl(tx: SqlTx, control: Control): Promise<number> {
  return insertRow(tx, 'review_controls', {
    case_id: control.caseId,
    ...inScope(control.scope),
    answer: control.answer,
    names: toJson(control.names),
    session_id: control.sessionId,
    past_session_id: control.pastSessionId,
    person_id: control.personId,
    model: control.model,
    quality: control.quality,
    enrolled_at: control.enrolledAt,
    opened_at: control.openedAt,
  });
}

export async function findControlAnswer(db: SqlReader, caseId: string): Promise<ControlAnswer | undefined> {
  const row = await db.one<{ answer: ControlAnswer }>(
    'SELECT answer FROM review_controls WHERE case_id = ?',
    caseId,
  );
  return row?.answer;
}

/** Whether nothing about the session may be told to an integrator. */
export async function isOfControl(db: SqlReader, sessionId: string): Promise<boolean> {
  const row = await db.one(
    'SELECT 1 AS found FROM review_controls WHERE session_id = ? OR past_session_id = ?',
    sessionId,
    sessionId,
  );
  return row !== undefined;
}

/** How many wait in a company. */
export async function countControls(db: SqlReader, companyId: string): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM review_controls WHERE company_id = ?',
    companyId,
  );
  return row?.n ?? 0;
}

/** Those to remove: of one case, of a person, opened too long ago, or with a picture of somebody; never one with a decision. */
type Chosen = { caseId: string } | { personId: string } | { openedBefore: number } | { shows: string };

function conditionOf(chosen: Chosen): [sql: string, value: SqlValue] {
  if ('caseId' in chosen) return ['r.case_id = ?', chosen.caseId];
  if ('personId' in chosen) return ['r.person_id = ?', chosen.personId];
  const undecided = 'c.pending_decision IS NULL';
  if ('openedBefore' in chosen) return [`r.opened_at < ? AND ${undecided}`, chosen.openedBefore];
  return [`instr(r.names, ?) > 0 AND ${undecided}`, JSON.stringify(chosen.shows)];
}

/** Removes them with every row that was made for them. Returns how many there were. */
export async function removeControls(tx: SqlTx, chosen: Chosen): Promise<number> {
  const [condition, value] = conditionOf(chosen);
  const found = await tx.all<
    Pick<Control, 'caseId' | 'sessionId' | 'pastSessionId' | 'personId'> & { companyId: string }
  >(
    `SELECT r.case_id AS caseId, r.session_id AS sessionId, r.past_session_id AS pastSessionId, r.person_id AS personId,
       r.company_id AS companyId
     FROM review_controls r JOIN review_cases c ON c.id = r.case_id WHERE ${condition}`,
    value,
  );
  for (const { caseId, sessionId, pastSessionId, personId, companyId } of found) {
    await tx.run('DELETE FROM review_cases WHERE id = ?', caseId);
    await tx.run('DELETE FROM passes WHERE session_id IN (?, ?)', sessionId, pastSessionId);
    await tx.run('DELETE FROM guest_photos WHERE person_id = ?', personId);
    await tx.run('DELETE FROM people WHERE id = ?', personId);
    await tx.run('DELETE FROM sessions WHERE id IN (?, ?)', sessionId, pastSessionId);
    for (const id of [sessionId, pastSessionId]) announceSession(tx, id, companyId);
    tx.afterCommit('case', companyId);
  }
  return found.length;
}

export type ControlResult = {
  caseId: string;
  operatorId: string;
  answer: ControlAnswer;
  decision: Decision;
  isWrong: boolean;
  decidedAt: number;
};

export function insertControlResult(tx: SqlTx, scope: Scope, result: ControlResult): Promise<number> {
  return insertRow(tx, 'control_results', {
    case_id: result.caseId,
    operator_id: result.operatorId,
    ...inScope(scope),
    answer: result.answer,
    decision: result.decision,
    is_wrong: result.isWrong ? 1 : 0,
    decided_at: result.decidedAt,
  });
}

/** How many each reviewer decided since, and how many of them wrongly. By name. */
export function countControlResults(
  db: SqlReader,
  scope: Scope,
  since: number,
): Promise<{ operatorId: string; name: string; decided: number; wrong: number }[]> {
  return db.all(
    `SELECT o.id AS operatorId, o.name, COUNT(*) AS decided, SUM(r.is_wrong) AS wrong
     FROM control_results r JOIN operators o ON o.id = r.operator_id
     WHERE r.company_id = ? AND r.partition = ? AND r.decided_at >= ?
     GROUP BY o.id, o.name ORDER BY o.name, o.id`,
    ...ofScope(scope),
    since,
  );
}

/** Of one reviewer, the latest first. */
export async function listControlResults(
  db: SqlReader,
  scope: Scope,
  { operatorId, since, limit }: { operatorId: string; since: number; limit: number },
): Promise<Pick<ControlResult, 'caseId' | 'answer' | 'decision' | 'isWrong' | 'decidedAt'>[]> {
  const rows = await db.all<Omit<ControlResult, 'operatorId' | 'isWrong'> & { isWrong: number }>(
    `SELECT case_id AS caseId, answer, decision, is_wrong AS isWrong, decided_at AS decidedAt FROM control_results
     WHERE operator_id = ? AND company_id = ? AND partition = ? AND decided_at >= ?
     ORDER BY decided_at DESC, case_id LIMIT ?`,
    operatorId,
    ...ofScope(scope),
    since,
    limit,
  );
  return rows.map((row) => ({ ...row, isWrong: row.isWrong === 1 }));
}

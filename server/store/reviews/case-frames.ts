import type { FaceFraming } from '../../domain/reviews/framing.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { fromJson, inScope, insertRow, ofScope, placesFor, toJson } from '../rows.ts';

/** A picture of a run that went to review. */
export type CaseFrame = { jpeg: Uint8Array; takenAt: number; framing: FaceFraming };

/** Best first. */
export async function insertCaseFrames(
  tx: SqlTx,
  scope: Scope,
  caseId: string,
  frames: readonly CaseFrame[],
): Promise<void> {
  for (const [index, { jpeg, takenAt, framing }] of frames.entries()) {
    await insertRow(tx, 'case_frames', {
      case_id: caseId,
      idx: index,
      ...inScope(scope),
      jpeg: tx.secrets.seal('case_frames.jpeg', [caseId, index], jpeg),
      taken_at: takenAt,
      framing: toJson(framing),
    });
  }
}

/** The case is decided: from `deleteAfter` on, nobody can see its pictures. */
export function limitCaseFrames(
  tx: SqlTx,
  scope: Scope,
  caseId: string,
  deleteAfter: number,
): Promise<number> {
  return tx.run(
    `UPDATE case_frames SET delete_after = ? WHERE company_id = ? AND partition = ? AND case_id = ?`,
    deleteAfter,
    ...ofScope(scope),
    caseId,
  );
}

// The nightly job deletes them; they are hidden as soon as they expire.
const IS_KEPT = '(f.delete_after IS NULL OR f.delete_after > ?)';

export async function readCaseFrame(
  db: SqlReader,
  scope: Scope,
  { caseId, index, now }: { caseId: string; index: number; now: number },
): Promise<Uint8Array | undefined> {
  const row = await db.one<{ jpeg: Uint8Array }>(
    `SELECT f.jpeg FROM case_frames f
     WHERE f.company_id = ? AND f.partition = ? AND f.case_id = ? AND f.idx = ? AND ${IS_KEPT}`,
    ...ofScope(scope),
    caseId,
    index,
    now,
  );
  return row && db.secrets.open('case_frames.jpeg', [caseId, index], row.jpeg);
}

/** The data about a picture, without loading it. */
export type CaseFrameFacts = { caseId: string; index: number; takenAt: number; framing: FaceFraming };

type FactsRow = Omit<CaseFrameFacts, 'framing'> & { framing: string };
const FACTS = 'f.case_id AS caseId, f.idx AS "index", f.taken_at AS takenAt, f.framing';
const toFacts = (row: FactsRow): CaseFrameFacts => ({ ...row, framing: fromJson<FaceFraming>(row.framing) });

export async function listCaseFrames(
  db: SqlReader,
  scope: Scope,
  caseId: string,
  now: number,
): Promise<CaseFrameFacts[]> {
  const rows = await db.all<FactsRow>(
    `SELECT ${FACTS} FROM case_frames f
     WHERE f.company_id = ? AND f.partition = ? AND f.case_id = ? AND ${IS_KEPT} ORDER BY f.idx`,
    ...ofScope(scope),
    caseId,
    now,
  );
  return rows.map(toFacts);
}

/** The best picture of each case. */
export async function listFirstFrames(
  db: SqlReader,
  scope: Scope,
  caseIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, CaseFrameFacts>> {
  const rows = await db.all<FactsRow>(
    `SELECT ${FACTS} FROM case_frames f
     WHERE f.company_id = ? AND f.partition = ? AND f.idx = 0 AND f.case_id IN (${placesFor(caseIds)})
       AND ${IS_KEPT}`,
    ...ofScope(scope),
    ...caseIds,
    now,
  );
  return new Map(rows.map((row) => [row.caseId, toFacts(row)]));
}

/** The best picture of each person's latest earlier case. */
export async function listLatestFrames(
  db: SqlReader,
  scope: Scope,
  people: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, CaseFrameFacts>> {
  if (people.length === 0) return new Map();
  const rows = await db.all<FactsRow & { personId: string }>(
    `SELECT ${FACTS}, p.person_id AS personId FROM passes p
     JOIN review_cases c ON c.pass_id = p.id
     JOIN case_frames f ON f.case_id = c.id AND f.idx = 0
     WHERE p.person_id IN (${placesFor(people)}) AND p.company_id = ? AND p.partition = ?
       AND f.company_id = ? AND f.partition = ? AND ${IS_KEPT}
     ORDER BY p.settled_at, c.id`,
    ...people,
    ...ofScope(scope),
    ...ofScope(scope),
    now,
  );
  // The latest comes last, and stays.
  return new Map(rows.map(({ personId, ...row }) => [personId, toFacts(row)]));
}

/** Pictures of the person's latest earlier case that are still kept; an approved run stores none. */
export async function listPersonFrames(
  db: SqlReader,
  scope: Scope,
  personId: string,
  now: number,
): Promise<CaseFrameFacts[]> {
  const rows = await db.all<FactsRow>(
    `SELECT ${FACTS} FROM passes p
     JOIN review_cases c ON c.pass_id = p.id
     JOIN case_frames f ON f.case_id = c.id
     WHERE p.person_id = ? AND p.company_id = ? AND p.partition = ? AND f.company_id = ? AND f.partition = ?
       AND ${IS_KEPT}
     ORDER BY p.settled_at DESC, c.id DESC, f.idx`,
    personId,
    ...ofScope(scope),
    ...ofScope(scope),
    now,
  );
  const [latest] = rows;
  return rows.filter(({ caseId }) => caseId === latest?.caseId).map(toFacts);
}

/** What the queue shows of the two people of each case: a picture and a name, read for all rows at once. */
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader } from '../sql/port.ts';
import { fromJson, ofScope, placesFor } from '../rows.ts';
import { type CaseFrameFacts, listFirstFrames, listLatestFrames } from './case-frames.ts';

export type Sight = {
  /** Used in place of a camera; it has no picture. */
  testFace: string | null;
  frame: CaseFrameFacts | null;
  /** The likeliest person; null if the case is about the capture alone. */
  match: { personId: string; name: string | null; frame: CaseFrameFacts | null } | null;
};

export async function listSights(
  db: SqlReader,
  scope: Scope,
  caseIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, Sight>> {
  if (caseIds.length === 0) return new Map();
  const cases = await db.all<{ id: string; suspectIds: string; testFace: string | null }>(
    `SELECT id, suspect_ids AS suspectIds, test_face AS testFace FROM review_cases
     WHERE company_id = ? AND partition = ? AND id IN (${placesFor(caseIds)})`,
    ...ofScope(scope),
    ...caseIds,
  );
  const matchOf = new Map(cases.map(({ id, suspectIds }) => [id, fromJson<string[]>(suspectIds)[0]]));
  const people = [...new Set(matchOf.values())].filter((id) => id !== undefined);
  const frames = await listFirstFrames(db, scope, caseIds, now);
  const ofPeople = await listLatestFrames(db, scope, people, now);
  const names = await namesOf(db, scope, people);
  return new Map(
    cases.map(({ id, testFace }) => {
      const personId = matchOf.get(id);
      const match =
        personId === undefined
          ? null
          : { personId, name: names.get(personId) ?? null, frame: ofPeople.get(personId) ?? null };
      return [id, { testFace: testFace || null, frame: frames.get(id) ?? null, match }];
    }),
  );
}

/** The first account of each person. */
async function namesOf(
  db: SqlReader,
  scope: Scope,
  people: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (people.length === 0) return new Map();
  const rows = await db.all<{ personId: string; name: string }>(
    `SELECT x.person_id AS personId, x.external_id AS name FROM person_external_ids x
     JOIN people p ON p.id = x.person_id
     WHERE p.company_id = ? AND p.partition = ? AND x.person_id IN (${placesFor(people)})
     ORDER BY x.bound_at DESC, x.external_id DESC`,
    ...ofScope(scope),
    ...people,
  );
  // The oldest comes last, and stays.
  return new Map(rows.map(({ personId, name }) => [personId, name]));
}

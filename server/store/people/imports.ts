/** People whom another service knew, and its verdicts about them. */
import type { ImportedVerdict } from '../../domain/people/import-row.ts';
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export function insertImportedPerson(tx: SqlTx, scope: Scope, personId: string, at: number): Promise<number> {
  return insertRow(tx, 'imported_people', { person_id: personId, ...inScope(scope), imported_at: at });
}

/** When the person was imported; undefined if they were not. */
export async function findImportTime(
  db: SqlReader,
  scope: Scope,
  personId: string,
): Promise<number | undefined> {
  const row = await db.one<{ at: number }>(
    'SELECT imported_at AS at FROM imported_people WHERE company_id = ? AND partition = ? AND person_id = ?',
    ...ofScope(scope),
    personId,
  );
  return row?.at;
}

/** Whether the person was imported and no face has been theirs since: not even one that was deleted or of an older model. */
export async function awaitsFirstFace(db: SqlReader, scope: Scope, personId: string): Promise<boolean> {
  const row = await db.one(
    `SELECT 1 AS found FROM imported_people i WHERE i.person_id = ? AND i.company_id = ? AND i.partition = ?
       AND NOT EXISTS (SELECT 1 FROM templates t WHERE t.person_id = i.person_id)
       AND NOT EXISTS (SELECT 1 FROM test_faces f WHERE f.person_id = i.person_id)
       AND NOT EXISTS (SELECT 1 FROM passes p WHERE p.person_id = i.person_id AND p.session_id IS NOT NULL)`,
    personId,
    ...ofScope(scope),
  );
  return row !== undefined;
}

/** Whether a verdict of the same kind, time and group is known. */
export async function hasVerdict(
  db: SqlReader,
  scope: Scope,
  personId: string,
  { status, at, group }: ImportedVerdict,
): Promise<boolean> {
  const row = await db.one(
    `SELECT 1 AS found FROM passes WHERE person_id = ? AND company_id = ? AND partition = ? AND status = ? AND settled_at = ?
       AND COALESCE(group_id, '') = ?`,
    personId,
    ...ofScope(scope),
    status,
    at,
    group ?? '',
  );
  return row !== undefined;
}

/** The log of people whose templates changed; triggers of the schema write it. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader } from '../sql/port.ts';

type FaceChange = { seq: number; personId: string };

/** Number of the scope's last change; 0 if there is none. */
export async function lastFaceChange(db: SqlReader, scope: Scope): Promise<number> {
  const row = await db.one<{ seq: number | null }>(
    'SELECT MAX(seq) AS seq FROM face_changes WHERE company_id = ? AND partition = ?',
    ...ofScope(scope),
  );
  return row?.seq ?? 0;
}

/** Changes after `afterSeq`, oldest first. Of a person who changed more than once, only the latest. */
export function listFaceChangesAfter(
  db: SqlReader,
  scope: Scope,
  afterSeq: number,
  limit: number,
): Promise<FaceChange[]> {
  return db.all<FaceChange>(
    `SELECT seq, person_id AS personId FROM face_changes
     WHERE company_id = ? AND partition = ? AND seq > ? ORDER BY seq LIMIT ?`,
    ...ofScope(scope),
    afterSeq,
    limit,
  );
}

/** Number of changes after `afterSeq`. */
export async function countFaceChangesAfter(db: SqlReader, scope: Scope, afterSeq: number): Promise<number> {
  const row = await db.one<{ n: number }>(
    'SELECT COUNT(*) AS n FROM face_changes WHERE company_id = ? AND partition = ? AND seq > ?',
    ...ofScope(scope),
    afterSeq,
  );
  return row?.n ?? 0;
}

/** Packed rows of the face index. Triggers of the schema remove a row with any change of the person's templates. */
import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRows, ofScope } from '../rows.ts';
import { needLock, type SqlReader, type SqlTx } from '../sql/port.ts';

export type FaceRow = { personId: string; packed: Uint8Array };

/** The next rows of a model by person, after the given one (`''` for the first page). */
export async function listFaceRows(
  db: SqlReader,
  scope: Scope,
  model: string,
  afterPersonId: string,
  limit: number,
): Promise<FaceRow[]> {
  const rows = await db.all<{ personId: string; vector: Uint8Array }>(
    `SELECT person_id AS personId, vector FROM face_rows
     WHERE company_id = ? AND partition = ? AND model = ? AND person_id > ? ORDER BY person_id LIMIT ?`,
    ...ofScope(scope),
    model,
    afterPersonId,
    limit,
  );
  return rows.map(({ personId, vector }) => ({
    personId,
    packed: db.secrets.open('face_rows.vector', [...ofScope(scope), personId, model], vector),
  }));
}

/** Packing everyone, as after an upgrade, must not wait for the database row by row while it holds the lock. */
const ROWS_PER_INSERT = 50;

/** Inserts rows for people who have none. The caller has read their templates in the same transaction. */
export async function insertFaceRows(
  tx: SqlTx,
  scope: Scope,
  model: string,
  rows: readonly FaceRow[],
): Promise<void> {
  needLock(tx, scope.companyId);
  let from = 0;
  while (from < rows.length) {
    // Two statements serve every number of rows.
    const some = rows.slice(from, from + (rows.length - from < ROWS_PER_INSERT ? 1 : ROWS_PER_INSERT));
    from += some.length;
    await insertRows(
      tx,
      'face_rows',
      some.map(({ personId, packed }) => ({
        ...inScope(scope),
        person_id: personId,
        model,
        vector: tx.secrets.seal('face_rows.vector', [...ofScope(scope), personId, model], packed),
      })),
      'ON CONFLICT (company_id, partition, person_id, model) DO NOTHING',
    );
  }
}

/**
 * Removes rows of people who have no template of the row's model. Rows of others stay, because another process may be
 * loading: it has already left out the templates of people with a row.
 */
export async function deleteStrayFaceRows(tx: SqlTx, scope: Scope): Promise<void> {
  needLock(tx, scope.companyId);
  await tx.run(
    `DELETE FROM face_rows WHERE company_id = ? AND partition = ?
       AND NOT EXISTS (SELECT 1 FROM templates t WHERE t.company_id = face_rows.company_id
         AND t.partition = face_rows.partition AND t.event_id = '' AND t.person_id = face_rows.person_id AND t.model = face_rows.model)`,
    ...ofScope(scope),
  );
}

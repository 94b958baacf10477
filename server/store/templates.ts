import type { Scope } from '../domain/scope.ts';
import type { SqlReader, SqlTx } from './port.ts';
import { fromFloat32, toFloat32 } from './rows.ts';

/** One enrolled view of a face: a unit vector of the model that made it. `seq` only grows. */
export type Template = { seq: number; personId: string; vector: Float32Array };

type Row = { seq: number; personId: string; vector: Uint8Array };

const fromRow = (row: Row): Template => ({ ...row, vector: toFloat32(row.vector) });

export async function insertTemplate(
  tx: SqlTx,
  scope: Scope,
  template: {
    personId: string;
    passId: string;
    model: string;
    vector: Float32Array;
    quality: number;
    at: number;
  },
): Promise<void> {
  await tx.run(
    `INSERT INTO templates (company_id, partition, person_id, pass_id, model, vector, quality, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    scope.companyId,
    scope.partition,
    template.personId,
    template.passId,
    template.model,
    fromFloat32(template.vector),
    template.quality,
    template.at,
  );
}

/** Templates of one model that an index has not seen yet, oldest first. */
export async function listTemplatesAfter(
  db: SqlReader,
  scope: Scope,
  model: string,
  afterSeq: number,
  limit: number,
): Promise<Template[]> {
  const rows = await db.all<Row>(
    `SELECT seq, person_id AS personId, vector FROM templates
     WHERE company_id = ? AND partition = ? AND seq > ? AND model = ? ORDER BY seq LIMIT ?`,
    scope.companyId,
    scope.partition,
    afterSeq,
    model,
    limit,
  );
  return rows.map(fromRow);
}

/** Every scope that has templates, for loading an index at start. */
export function listTemplateScopes(db: SqlReader): Promise<Scope[]> {
  return db.all<Scope>('SELECT DISTINCT company_id AS companyId, partition FROM templates');
}

/** One person's templates of a model, oldest first. */
export async function listTemplatesOf(
  db: SqlReader,
  scope: Scope,
  model: string,
  personId: string,
): Promise<Template[]> {
  const rows = await db.all<Row>(
    `SELECT seq, person_id AS personId, vector FROM templates
     WHERE company_id = ? AND partition = ? AND person_id = ? AND model = ? ORDER BY seq`,
    scope.companyId,
    scope.partition,
    personId,
    model,
  );
  return rows.map(fromRow);
}

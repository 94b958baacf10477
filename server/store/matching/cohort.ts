/** The fixed, randomly drawn people against whom a match has to stand out (see `domain/matching/matching.ts`). */
import type { FacePool } from '../../domain/matching/face-pool.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { ofScope, toFloat32 } from '../rows.ts';

type CohortMember = { personId: string; vector: Float32Array };

type Row = { personId: string; passId: string; vector: Uint8Array };

const fromRow =
  ({ secrets }: SqlReader) =>
  ({ personId, passId, vector }: Row): CohortMember => ({
    personId,
    vector: toFloat32(secrets.open('templates.vector', [personId, passId], vector)),
  });

/** Number of members, by model. */
export function countCohorts(db: SqlReader, scope: Scope): Promise<{ model: string; members: number }[]> {
  return db.all<{ model: string; members: number }>(
    `SELECT model, COUNT(*) AS members FROM match_cohort WHERE company_id = ? AND partition = ? GROUP BY model`,
    ...ofScope(scope),
  );
}

export async function listCohort(db: SqlReader, scope: Scope, model: string): Promise<CohortMember[]> {
  const rows = await db.all<Row>(
    `SELECT c.person_id AS personId, t.pass_id AS passId, t.vector FROM match_cohort c JOIN templates t ON t.seq = c.template_seq
     WHERE c.company_id = ? AND c.partition = ? AND c.model = ?`,
    ...ofScope(scope),
    model,
  );
  return rows.map(fromRow(db));
}

/** Adds `members` people, drawn at random from those who are not members; fewer if there are not enough. */
export async function addToCohort(tx: SqlTx, scope: Scope, model: string, members: number): Promise<void> {
  await tx.run(
    `INSERT INTO match_cohort (template_seq, company_id, partition, model, person_id)
     SELECT MIN(seq), company_id, partition, model, person_id FROM templates
     WHERE company_id = ? AND partition = ? AND event_id = '' AND model = ? AND person_id NOT IN
       (SELECT person_id FROM match_cohort WHERE company_id = ? AND partition = ? AND model = ?)
     GROUP BY company_id, partition, model, person_id ORDER BY RANDOM() LIMIT ?`,
    ...ofScope(scope),
    model,
    ...ofScope(scope),
    model,
    members,
  );
}

/** Of an event's pool, which ends with the event, the members are its first people, and nothing is stored about them. */
export async function listFirstOfPool(
  db: SqlReader,
  { eventId, ...scope }: FacePool & { eventId: string },
  model: string,
  members: number,
): Promise<CohortMember[]> {
  const rows = await db.all<Row>(
    `SELECT person_id AS personId, pass_id AS passId, vector FROM templates WHERE seq IN (
       SELECT MIN(seq) FROM templates WHERE company_id = ? AND partition = ? AND event_id = ? AND model = ?
       GROUP BY person_id ORDER BY person_id LIMIT ?)`,
    ...ofScope(scope),
    eventId,
    model,
    members,
  );
  return rows.map(fromRow(db));
}

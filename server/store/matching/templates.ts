import type { FacePool } from '../../domain/matching/face-pool.ts';
import type { Scope } from '../../domain/scope.ts';
import { needLock, type SqlReader, type SqlTx } from '../sql/port.ts';
import { GROUPS_OF_EVENT } from '../venue/event-name.ts';
import { fromFloat32, inScope, insertRow, ofScope, placesFor, toFloat32, unindexed } from '../rows.ts';

/** One enrolled view of a face: a unit vector of the model that made it. `seq` only increases. */
export type Template = { seq: number; personId: string; vector: Float32Array; at: number };

type Row = { seq: number; personId: string; passId: string; vector: Uint8Array; at: number };

const COLUMNS = 'seq, person_id AS personId, pass_id AS passId, vector, created_at AS at';
const fromRow =
  ({ secrets }: SqlReader) =>
  ({ seq, personId, passId, vector, at }: Row): Template => ({
    seq,
    personId,
    vector: toFloat32(secrets.open('templates.vector', [personId, passId], vector)),
    at,
  });

/** The stored name of a pool. */
const eventOf = ({ eventId }: FacePool): string => eventId ?? '';

type NewTemplate = { personId: string; passId: string; model: string; quality: number; at: number };

export const insertTemplate = (
  tx: SqlTx,
  pool: FacePool,
  { vector, ...template }: NewTemplate & { vector: Float32Array },
): Promise<void> => insertBytes(tx, pool, { ...template, bytes: fromFloat32(vector) });

/** The stored model of a face that is sealed with its ticket: nothing that reads the faces of a model reads it. */
const SEALED = 'sealed:';
const sealedOf = (model: string): string => `${SEALED}${model}`;

/** The model of a stored face, sealed or not. */
export const modelOf = (stored: string): string =>
  stored.startsWith(SEALED) ? stored.slice(SEALED.length) : stored;

/** @param box by `sealFace` */
export const insertSealedTemplate = (
  tx: SqlTx,
  pool: FacePool,
  { box, ...template }: NewTemplate & { box: Uint8Array },
): Promise<void> => insertBytes(tx, pool, { ...template, model: sealedOf(template.model), bytes: box });

async function insertBytes(
  tx: SqlTx,
  pool: FacePool,
  template: NewTemplate & { bytes: Uint8Array },
): Promise<void> {
  needLock(tx, pool.companyId);
  await insertRow(tx, 'templates', {
    ...inScope(pool),
    event_id: eventOf(pool),
    person_id: template.personId,
    pass_id: template.passId,
    model: template.model,
    vector: tx.secrets.seal('templates.vector', [template.personId, template.passId], template.bytes),
    quality: template.quality,
    created_at: template.at,
  });
}

export async function deleteTemplate(tx: SqlTx, scope: Scope, seq: number): Promise<void> {
  needLock(tx, scope.companyId);
  await tx.run(
    'DELETE FROM templates WHERE company_id = ? AND partition = ? AND seq = ?',
    ...ofScope(scope),
    seq,
  );
}

/** Faces of an event are packed nowhere: they are few, and a second form of them would have to end as well. */
const WITHOUT_ROW = `AND NOT EXISTS (SELECT 1 FROM face_rows r WHERE r.company_id = t.company_id
  AND r.partition = t.partition AND r.person_id = t.person_id AND r.model = t.model)`;

/**
 * The next templates of a model, grouped by person, after the given one (`''` and 0 for the first page). Leaves out people
 * who have a face row.
 */
export async function listTemplatesWithoutRow(
  db: SqlReader,
  pool: FacePool,
  model: string,
  after: { personId: string; seq: number },
  limit: number,
): Promise<Template[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM templates t
     WHERE company_id = ? AND partition = ? AND event_id = ? AND model = ? AND (person_id, seq) > (?, ?)
       ${pool.eventId === undefined ? WITHOUT_ROW : ''}
     ORDER BY person_id, seq LIMIT ?`,
    ...ofScope(pool),
    eventOf(pool),
    model,
    after.personId,
    after.seq,
    limit,
  );
  return rows.map(fromRow(db));
}

/** Every pool that has templates, for loading the indexes at start-up. */
export async function listFacePools(db: SqlReader): Promise<FacePool[]> {
  const rows = await db.all<Scope & { eventId: string }>(
    'SELECT DISTINCT company_id AS companyId, partition, event_id AS eventId FROM templates',
  );
  return rows.map(({ eventId, ...scope }) => (eventId === '' ? scope : { ...scope, eventId }));
}

/** Repeats the last person to fill the list, so that one statement serves every number of people. */
const PEOPLE_PER_READ = 50;

/** Templates of these people and a model, grouped by person, oldest first. */
export async function listTemplatesOfPeople(
  db: SqlReader,
  pool: FacePool,
  model: string,
  personIds: readonly string[],
): Promise<Template[]> {
  const found: Template[] = [];
  for (let from = 0; from < personIds.length; from += PEOPLE_PER_READ) {
    const some = personIds.slice(from, from + PEOPLE_PER_READ);
    const filled = Array.from({ length: PEOPLE_PER_READ }, (_, n) => some[n] ?? some.at(-1) ?? '');
    const rows = await db.all<Row>(
      `SELECT ${COLUMNS} FROM templates
       WHERE company_id = ? AND partition = ? AND event_id = ? AND model = ?
         AND person_id IN (${placesFor(filled)})
       ORDER BY person_id, seq`,
      ...ofScope(pool),
      eventOf(pool),
      model,
      ...filled,
    );
    found.push(...rows.map(fromRow(db)));
  }
  return found;
}

/** One person's templates of a model in a pool, oldest first. */
export async function listTemplatesOf(
  db: SqlReader,
  pool: FacePool,
  model: string,
  personId: string,
): Promise<Template[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM templates
     WHERE company_id = ? AND partition = ? AND event_id = ? AND model = ? AND person_id = ? ORDER BY seq`,
    ...ofScope(pool),
    eventOf(pool),
    model,
    personId,
  );
  return rows.map(fromRow(db));
}

/** The sealed faces of one person in the pool of an event, oldest first. */
export async function listSealedTemplates(
  db: SqlReader,
  pool: FacePool,
  model: string,
  personId: string,
): Promise<Uint8Array[]> {
  const rows = await db.all<{ passId: string; vector: Uint8Array }>(
    `SELECT pass_id AS passId, vector FROM templates
     WHERE company_id = ? AND partition = ? AND event_id = ? AND model = ? AND person_id = ? ORDER BY seq`,
    ...ofScope(pool),
    eventOf(pool),
    sealedOf(model),
    personId,
  );
  return rows.map(({ passId, vector }) => db.secrets.open('templates.vector', [personId, passId], vector));
}

/** People who were enrolled in the pool of an event since then, among them some whom the organiser knew before. */
export async function listEnrolledSince(db: SqlReader, pool: FacePool, sinceMs: number): Promise<string[]> {
  const rows = await db.all<{ personId: string }>(
    `SELECT DISTINCT person_id AS personId FROM templates
     WHERE company_id = ? AND partition = ? AND event_id = ? AND created_at >= ?`,
    ...ofScope(pool),
    eventOf(pool),
    sinceMs,
  );
  return rows.map(({ personId }) => personId);
}

/** People of the pool who have a template of the model. */
export async function countEnrolled(db: SqlReader, pool: FacePool, model: string): Promise<number> {
  const row = await db.one<{ people: number }>(
    `SELECT COUNT(DISTINCT person_id) AS people FROM templates
     WHERE company_id = ? AND partition = ? AND event_id = ? AND model = ?`,
    ...ofScope(pool),
    eventOf(pool),
    model,
  );
  return row?.people ?? 0;
}

export type TemplateCount = { model: string; templates: number; people: number };

/** For every model that made templates of the organiser's pool. */
export function countTemplatesByModel(db: SqlReader, scope: Scope): Promise<TemplateCount[]> {
  return db.all<TemplateCount>(
    `SELECT model, COUNT(*) AS templates, COUNT(DISTINCT person_id) AS people FROM templates
     WHERE company_id = ? AND partition = ? AND event_id = '' GROUP BY model ORDER BY model`,
    ...ofScope(scope),
  );
}

/** Whether a person has templates in the pool, but only of other models. */
export async function hasOnlyOlderTemplates(
  db: SqlReader,
  pool: FacePool,
  model: string,
  personId: string,
): Promise<boolean> {
  // Uses the person's own index, because the scope's has every face in it.
  const row = await db.one<{ all: number; present: number }>(
    `SELECT COUNT(*) AS "all", COALESCE(SUM(CASE WHEN model = ? THEN 1 ELSE 0 END), 0) AS present FROM templates
     WHERE ${unindexed('company_id')} = ? AND ${unindexed('partition')} = ?
       AND ${unindexed('event_id')} = ? AND person_id = ?`,
    model,
    ...ofScope(pool),
    eventOf(pool),
    personId,
  );
  return row !== undefined && row.all > 0 && row.present === 0;
}

const AT_EVENT = `EXISTS (SELECT 1 FROM events e WHERE e.company_id = q.company_id AND e.partition = q.partition
  AND q.group_id IN ${GROUPS_OF_EVENT} AND e.faces <> 'organiser')`;

/** A pass of the person that a check gave, not an import. */
const CHECKED = `q.person_id = p.id AND q.status = 'approved' AND q.session_id IS NOT NULL`;

/**
 * Whether a person has never had a face in the pool of an event; or, for the organiser's pool, has none and was only checked
 * at events that keep faces of their own.
 */
export async function isUnknownIn(
  db: SqlReader,
  { eventId, ...scope }: FacePool,
  personId: string,
): Promise<boolean> {
  const ofPerson = 'company_id = p.company_id AND partition = p.partition AND person_id = p.id';
  const row = await db.one(
    `SELECT 1 AS found FROM people p WHERE p.company_id = ? AND p.partition = ? AND p.id = ?
       AND NOT EXISTS (SELECT 1 FROM templates WHERE ${ofPerson} AND ${unindexed('event_id')} = ?)
       AND NOT EXISTS (SELECT 1 FROM test_faces WHERE ${ofPerson} AND name ${eventId === undefined ? 'NOT LIKE' : 'LIKE'} ?)
       ${
         eventId === undefined
           ? `AND EXISTS (SELECT 1 FROM passes q WHERE ${CHECKED})
       AND NOT EXISTS (SELECT 1 FROM passes q WHERE ${CHECKED} AND NOT ${AT_EVENT})`
           : ''
       }`,
    ...ofScope(scope),
    personId,
    eventId ?? '',
    `%\n${eventId ?? '%'}`,
  );
  return row !== undefined;
}

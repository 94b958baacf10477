/** Faces in the store: one vector per person, the unit-length mean of the person's templates, and its packed row. */
import { normalisedMean } from '../../domain/matching/matching.ts';
import type { FacePool } from '../../domain/matching/face-pool.ts';
import type { Scope } from '../../domain/scope.ts';
import { packRow } from '../../face/index/quantise.ts';
import { type FaceRow, insertFaceRows, listFaceRows } from '../../store/matching/face-rows.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import {
  listTemplatesOfPeople,
  listTemplatesWithoutRow,
  type Template,
} from '../../store/matching/templates.ts';

export type Face = { personId: string; vector: Float32Array };

/** 4 MB of templates: large enough to amortise the cost of a page, small enough to let other work run. */
const TEMPLATES_PER_PAGE = 2_000;
/** 1 MB. */
const ROWS_PER_PAGE = 2_000;

/** Most people have one template, which already has unit length; this halves the time to load them. */
function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  return first && vectors.length === 1 ? first : normalisedMean(vectors);
}

/** Merges templates, sorted by person, into one face each. */
function facesOf(templates: readonly Template[]): Face[] {
  const faces: Face[] = [];
  for (let from = 0; from < templates.length;) {
    const personId = templates[from]?.personId ?? '';
    let to = from + 1;
    while (templates[to]?.personId === personId) to += 1;
    faces.push({ personId, vector: meanOf(templates.slice(from, to).map(({ vector }) => vector)) });
    from = to;
  }
  return faces;
}

/**
 * The faces of everyone in a pool who has no packed row, page by page. Changes committed meanwhile may or may not be
 * included.
 */
export async function* unpackedFaces(db: SqlReader, pool: FacePool, model: string): AsyncGenerator<Face[]> {
  let after = { personId: '', seq: 0 };
  let begun: Template[] = [];
  for (;;) {
    const page = await listTemplatesWithoutRow(db, pool, model, after, TEMPLATES_PER_PAGE);
    const last = page.at(-1);
    const all = [...begun, ...page];
    if (!last || page.length < TEMPLATES_PER_PAGE) {
      yield facesOf(all);
      return;
    }
    // More templates of the last person may be on the next page.
    const whole = all.findIndex(({ personId }) => personId === last.personId);
    begun = all.slice(whole);
    yield facesOf(all.slice(0, whole));
    after = last;
  }
}

/** Everyone's packed row in a scope, page by page. Changes committed meanwhile may or may not be included. */
export async function* packedFaces(db: SqlReader, scope: Scope, model: string): AsyncGenerator<FaceRow[]> {
  let after = '';
  for (;;) {
    const page = await listFaceRows(db, scope, model, after, ROWS_PER_PAGE);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < ROWS_PER_PAGE) return;
    after = last.personId;
  }
}

/**
 * Writes the packed rows of these people, for the next load. Reads their templates in the same transaction, so a row never
 * outlives a change or an erasure.
 */
export async function packFaces(
  db: Pick<Database, 'tx'>,
  scope: Scope,
  model: string,
  personIds: readonly string[],
): Promise<void> {
  await db.tx(
    async (tx) => {
      const faces = await readFaces(tx, scope, model, personIds);
      const rows = faces.map(({ personId, vector }) => ({ personId, packed: packRow(vector) }));
      await insertFaceRows(tx, scope, model, rows);
    },
    { companyId: scope.companyId },
  );
}

/** The faces of these people in a pool; leaves out people without a template of the model. */
export async function readFaces(
  db: SqlReader,
  pool: FacePool,
  model: string,
  personIds: readonly string[],
): Promise<Face[]> {
  return facesOf(await listTemplatesOfPeople(db, pool, model, personIds));
}

/** Reads faces from the store: one vector per person, the unit-length mean of the person's templates. */
import { normalisedMean } from '../../domain/matching/matching.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import {
  listTemplatesByPerson,
  listTemplatesOfPeople,
  type Template,
} from '../../store/matching/templates.ts';

export type Face = { personId: string; vector: Float32Array };

/** 4 MB of templates: large enough to amortise the cost of a page, small enough to let other work run. */
const TEMPLATES_PER_PAGE = 2_000;

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

/** Everyone's face in a scope, page by page. Changes committed meanwhile may or may not be included. */
export async function* everyFace(db: SqlReader, scope: Scope, model: string): AsyncGenerator<Face[]> {
  let after = { personId: '', seq: 0 };
  let begun: Template[] = [];
  for (;;) {
    const page = await listTemplatesByPerson(db, scope, model, after, TEMPLATES_PER_PAGE);
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

/** The faces of these people; leaves out people without a template of the model. */
export async function readFaces(
  db: SqlReader,
  scope: Scope,
  model: string,
  personIds: readonly string[],
): Promise<Face[]> {
  return facesOf(await listTemplatesOfPeople(db, scope, model, personIds));
}

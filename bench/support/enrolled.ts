/** A data folder with a company and many enrolled faces, for benchmarks; the returned function removes it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../server/data/folder.ts';
import type { Scope } from '../../server/domain/scope.ts';
import { systemClock } from '../../server/services/ports/clock.ts';
import { createCompany, type NewCompany } from '../../server/services/companies/companies.ts';
import { newId } from '../../server/services/ports/ids.ts';
import { insertPerson } from '../../server/store/people/people.ts';
import { packFaces } from '../../server/services/matching/face-index-load.ts';
import { insertTemplate } from '../../server/store/matching/templates.ts';
import { cosine, toUnitLength } from '../../server/domain/matching/matching.ts';

const PEOPLE_PER_COMMIT = 2_000;
/** Every third person has two visits. */
const SECOND_TEMPLATE_EVERY = 3;

type Enrolled = {
  dataDir: string;
  company: NewCompany;
  scope: Scope;
  /** The first faces, which belong to enrolled people. */
  known: Float32Array[];
  remove: () => void;
};

export async function enrolMany(
  people: number,
  { model, length, known = 0 }: { model: string; length: number; known?: number },
): Promise<Enrolled> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
  const db = await openDatabase(dataDir);
  const company = await createCompany(db, systemClock, { name: 'Bench', actor: 'cli' });
  const scope: Scope = { companyId: company.company_id, partition: 'live' };
  const next = seededFaces(11);
  const faces: Float32Array[] = [];
  const at = systemClock.now();
  for (let from = 0; from < people; from += PEOPLE_PER_COMMIT) {
    const enrolled: string[] = [];
    await db.tx(async (tx) => {
      for (let n = from; n < Math.min(people, from + PEOPLE_PER_COMMIT); n++) {
        const personId = newId(at);
        enrolled.push(personId);
        const vector = next(length);
        if (faces.length < known) faces.push(vector);
        await insertPerson(tx, scope, personId, at);
        const template = { personId, passId: personId, model, vector, quality: 1, at };
        await insertTemplate(tx, scope, template);
        if (n % SECOND_TEMPLATE_EVERY === 0) await insertTemplate(tx, scope, template);
      }
    });
    await packFaces(db, scope, model, enrolled);
  }
  await db.close();
  return { dataDir, company, scope, known: faces, remove: () => rmSync(dataDir, { recursive: true }) };
}

// Faces for benchmarks: unit vectors drawn from a seed.

export function seededFaces(seed: number): (length: number) => Float32Array {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (length) => {
    const face = new Float32Array(length);
    // The sum of three uniform numbers approximates a normal one.
    for (let i = 0; i < length; i++) face[i] = uniform() + uniform() + uniform() - 1.5;
    return toUnitLength(face);
  };
}

/** A unit vector at this cosine to `face`, on the side of `other`. */
export function atCosine(face: Float32Array, other: Float32Array, wanted: number): Float32Array {
  const along = cosine(face, other);
  const across = toUnitLength(other.map((value, i) => value - along * (face[i] ?? 0)));
  const rest = Math.sqrt(1 - wanted * wanted);
  return toUnitLength(across.map((value, i) => wanted * (face[i] ?? 0) + rest * value));
}

/** The face index follows the store. Together with a check inside the transaction, it misses nobody. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sized } from '../../../testing/tier.ts';
import { cosine, normalisedMean, toUnitLength } from '../../domain/matching/matching.ts';
import type { Scope } from '../../domain/scope.ts';
import { insertFaceRows, listFaceRows } from '../../store/matching/face-rows.ts';
import { erasePerson } from '../../store/people/erasure.ts';
import { insertPerson } from '../../store/people/people.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import {
  deleteTemplate,
  insertTemplate,
  listTemplatesOf,
  listTemplatesWithoutRow,
} from '../../store/matching/templates.ts';
import { NOW, seedCompany, seedPerson } from '../../../testing/store/rows.ts';
import { openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { type FaceIndex, openFaceIndex } from './face-index.ts';
import { followFaceIndex } from './face-index-follow.ts';

const MODEL = { id: 'm', embeddingLength: 4 };
const LIVE: Scope = { companyId: 'c', partition: 'live' };
const TEST: Scope = { companyId: 'c', partition: 'test' };
const EAST = Float32Array.of(1, 0, 0, 0);
const NORTH = Float32Array.of(0, 1, 0, 0);

async function openStore(dir?: string): Promise<Database> {
  const db = await openTempStore(dir);
  await seedCompany(db, 'c');
  return db;
}

async function open(db: Database, model = MODEL): Promise<FaceIndex> {
  const faceIndex = await openFaceIndex(db, model);
  onTestFinished(() => faceIndex.close());
  return faceIndex;
}

const template = (personId: string, vector: Float32Array, model = MODEL.id) => ({
  personId,
  passId: 'p',
  model,
  vector,
  quality: 1,
  at: NOW,
});

async function enrol(db: Database, scope: Scope, personId: string, vector: Float32Array, model = MODEL.id) {
  const known = await db.one('SELECT 1 FROM people WHERE id = ?', personId);
  if (!known) await seedPerson(db, scope, personId);
  await db.tx((tx) => insertTemplate(tx, scope, template(personId, vector, model)));
}

const erase = (db: Database, scope: Scope, personId: string) =>
  db.tx((tx) => erasePerson(tx, scope, { id: personId, identities: [], externalIds: [] }, 0));

/** A search and its comparison, with nothing in between. */
async function find(db: Database, faceIndex: FaceIndex, scope: Scope, probe: Float32Array, floor: number) {
  const found = await faceIndex.search(scope, probe, floor);
  return db.tx((tx) => faceIndex.compare(tx, scope, probe, floor, found));
}

const people = (hits: { personId: string }[]) => hits.map(({ personId }) => personId);

describe('searches', () => {
  it('everyone who is enrolled at the start', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST);
    await enrol(db, LIVE, 'bob', NORTH);
    const faceIndex = await open(db);
    expect(faceIndex.enrolled(LIVE)).toBe(2);
    expect(people(await find(db, faceIndex, LIVE, EAST, 0.5))).toEqual(['alice']);
  });

  it('only the scope', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST);
    const faceIndex = await open(db);
    for (const scope of [TEST, { companyId: 'other', partition: 'live' } as const]) {
      expect(await faceIndex.search(scope, EAST, -1)).toEqual({ candidates: [], enrolled: 0, seenSeq: 0 });
      const found = { candidates: ['alice'], enrolled: 0, seenSeq: 0 };
      expect(await faceIndex.compare(db, scope, EAST, -1, found)).toEqual([]);
    }
  });

  it('only one model, because embeddings of two are not comparable', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST, 'an older model');
    const faceIndex = await open(db);
    expect(await find(db, faceIndex, LIVE, EAST, -1)).toEqual([]);
    await enrol(db, LIVE, 'bob', EAST, 'an older model');
    expect(await find(db, faceIndex, LIVE, EAST, -1)).toEqual([]);
  });

  it('the mean of a person’s templates, counting each once', async () => {
    const db = await openStore();
    const faceIndex = await open(db);
    await enrol(db, LIVE, 'alice', EAST);
    expect(faceIndex.enrolled(LIVE)).toBe(0);
    await Promise.all([faceIndex.catchUp(LIVE), faceIndex.catchUp(LIVE), faceIndex.catchUp(LIVE)]);
    await enrol(db, LIVE, 'alice', NORTH);
    await Promise.all([faceIndex.catchUp(LIVE), faceIndex.catchUp(LIVE)]);
    expect(faceIndex.enrolled(LIVE)).toBe(1);
    expect((await faceIndex.search(LIVE, EAST, 0.75)).candidates).toEqual([]);
    const [hit] = await find(db, faceIndex, LIVE, EAST, 0.7);
    expect(hit?.similarity).toBeCloseTo(Math.SQRT1_2, 5);
  });

  it('templates beyond one page, including one person’s across two pages', async () => {
    const db = await openStore();
    for (const personId of ['alice', 'bob', 'carol']) await seedPerson(db, LIVE, personId);
    await db.tx(async (tx) => {
      await insertTemplate(tx, LIVE, template('carol', NORTH));
      await insertTemplate(tx, LIVE, template('alice', EAST));
      for (let n = 0; n < 2_500; n++) await insertTemplate(tx, LIVE, template('bob', n % 2 ? EAST : NORTH));
    });
    const faceIndex = await open(db);
    expect(faceIndex.enrolled(LIVE)).toBe(3);
    expect((await faceIndex.search(LIVE, EAST, 0.9)).candidates).toEqual(['alice']);
    expect(
      (await faceIndex.search(LIVE, toUnitLength(Float32Array.of(1, 1, 0, 0)), 0.99)).candidates,
    ).toEqual(['bob']);
  });
});

describe('the thread of the index', () => {
  it('loses nobody if it ends: the next search loads everyone again', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST);
    const faceIndex = await open(db);
    // An invalid probe is a bug, which ends the thread.
    await expect(faceIndex.search(LIVE, new Float32Array(5), 0)).rejects.toThrow('thread of the face index');
    expect(people(await find(db, faceIndex, LIVE, EAST, 0.5))).toEqual(['alice']);
    expect(faceIndex.enrolled(LIVE)).toBe(1);
  });
});

describe('packed rows', () => {
  const templatesToRead = async (db: Database) =>
    (await listTemplatesWithoutRow(db, LIVE, MODEL.id, { personId: '', seq: 0 }, 10)).map(
      ({ personId }) => personId,
    );
  async function packed(dir?: string) {
    const db = await openStore(dir);
    await enrol(db, LIVE, 'alice', EAST);
    await enrol(db, LIVE, 'alice', NORTH);
    await enrol(db, LIVE, 'bob', NORTH);
    const faceIndex = await open(db);
    expect(await faceIndex.pack()).toBe(0);
    return { db, faceIndex };
  }
  const rowOf = (db: SqlReader, personId: string) =>
    db.one('SELECT 1 AS found FROM face_rows WHERE person_id = ?', personId);

  it('replace the templates at the next start, and find the same people', async () => {
    const { db, faceIndex } = await packed();
    expect(await templatesToRead(db)).toEqual([]);
    const again = await open(db);
    expect(again.enrolled(LIVE)).toBe(2);
    for (const floor of [-1, 0.5, 0.7, 0.72])
      for (const probe of [EAST, NORTH])
        expect((await again.search(LIVE, probe, floor)).candidates.sort()).toEqual(
          (await faceIndex.search(LIVE, probe, floor)).candidates.sort(),
        );
  });

  it.each<[string, (tx: SqlTx) => Promise<unknown>]>([
    ['an erasure', (tx) => erasePerson(tx, LIVE, { id: 'alice', identities: [], externalIds: [] }, 0)],
    ['another template', (tx) => insertTemplate(tx, LIVE, template('alice', EAST))],
    [
      'a replaced template',
      async (tx) => deleteTemplate(tx, LIVE, (await listTemplatesOf(tx, LIVE, 'm', 'alice'))[0]!.seq),
    ],
    ['the end of their retention', (tx) => tx.run(`DELETE FROM templates WHERE person_id = 'alice'`)],
    ['a removal of the person', (tx) => tx.run(`DELETE FROM people WHERE id = 'alice'`)],
  ])('are removed by %s in the same transaction', async (_, change) => {
    const { db } = await packed();
    await db.tx(async (tx) => {
      await change(tx);
      expect(await rowOf(tx, 'alice')).toBeUndefined();
    });
    expect(await rowOf(db, 'bob')).toBeDefined();
  });

  it('are written for any number of people', async () => {
    const db = await openStore();
    for (let n = 0; n < 103; n++) await enrol(db, LIVE, `person-${n}`, EAST);
    await (await open(db)).pack();
    expect(await templatesToRead(db)).toEqual([]);
    expect(await listFaceRows(db, LIVE, MODEL.id, '', 200)).toHaveLength(103);
  });

  it('are written again for a person who changed', async () => {
    const { db, faceIndex } = await packed();
    await enrol(db, LIVE, 'alice', EAST);
    expect(await templatesToRead(db)).toEqual(['alice', 'alice', 'alice']);
    await faceIndex.catchUp(LIVE);
    await faceIndex.pack();
    expect(await templatesToRead(db)).toEqual([]);
  });

  it('are not written for anybody who is erased or changed meanwhile, by any process', async () => {
    const dir = tempDir();
    const here = await openStore(dir);
    const there = await openTempStore(dir);
    const everyone = Array.from({ length: 20 }, (_, n) => `person-${n}`);
    for (const personId of everyone) await enrol(here, LIVE, personId, EAST);
    const faceIndex = await open(here);
    await Promise.all([
      faceIndex.pack(),
      ...everyone.map((personId, n) =>
        n % 2 === 0 ? erase(there, LIVE, personId) : enrol(there, LIVE, personId, NORTH),
      ),
    ]);
    expect((await here.all('SELECT person_id FROM face_rows')).length).toBeLessThanOrEqual(10);
    const probe = toUnitLength(Float32Array.of(1, 1, 0, 0));
    for (const index of [faceIndex, await open(there)]) {
      const found = await index.search(LIVE, probe, 0.99);
      expect(found.candidates.sort()).toEqual(everyone.filter((__, n) => n % 2 === 1).sort());
    }
  });

  it('of another model are not read', async () => {
    const { db } = await packed();
    const newer = await open(db, { id: 'newer', embeddingLength: 4 });
    expect(newer.enrolled(LIVE)).toBe(0);
  });

  it('of nobody are removed by the check, and the others stay for a process that is loading', async () => {
    const { db } = await packed();
    const [row] = await listFaceRows(db, LIVE, MODEL.id, 'alice', 1);
    await db.tx((tx) => insertFaceRows(tx, LIVE, MODEL.id, [{ personId: 'nobody', packed: row!.packed }]));
    const faceIndex = await open(db);
    expect(faceIndex.enrolled(LIVE)).toBe(3);
    expect(await faceIndex.check()).toEqual([LIVE]);
    expect(faceIndex.enrolled(LIVE)).toBe(2);
    expect(await rowOf(db, 'nobody')).toBeUndefined();
    expect(await templatesToRead(db)).toEqual([]);
  });
});

describe('a person who changed after the search', () => {
  it('is found inside the settling transaction, before the commit reached the index', async () => {
    const db = await openStore();
    const faceIndex = await open(db);
    await enrol(db, LIVE, 'alice', NORTH);
    const found = await faceIndex.search(LIVE, EAST, 0.5);
    expect(found.candidates).toEqual([]);
    await enrol(db, LIVE, 'late', EAST);
    const hits = await db.tx((tx) => faceIndex.compare(tx, LIVE, EAST, 0.5, found));
    expect(people(hits)).toEqual(['late']);
  });

  it('is judged by all of their templates, including earlier ones', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', NORTH);
    const faceIndex = await open(db);
    const found = await faceIndex.search(LIVE, EAST, 0.5);
    await enrol(db, LIVE, 'alice', EAST);
    const [hit] = await faceIndex.compare(db, LIVE, EAST, 0.5, found);
    expect(hit?.personId).toBe('alice');
    expect(hit?.similarity).toBeCloseTo(Math.SQRT1_2, 5);
  });

  it('is not found if they were erased meanwhile', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST);
    await enrol(db, LIVE, 'bob', EAST);
    const faceIndex = await open(db);
    const found = await faceIndex.search(LIVE, EAST, 0.5);
    await erase(db, LIVE, 'alice');
    expect(people(await db.tx((tx) => faceIndex.compare(tx, LIVE, EAST, 0.5, found)))).toEqual(['bob']);
  });

  it('nobody is added if nothing changed since', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST);
    const faceIndex = await open(db);
    const { seenSeq } = await faceIndex.search(LIVE, EAST, 0.5);
    const nobody = { candidates: [], enrolled: 1, seenSeq };
    expect(await faceIndex.compare(db, LIVE, EAST, -1, nobody)).toEqual([]);
  });
});

describe('several processes on one database', () => {
  async function two() {
    const dir = tempDir();
    const here = await openStore(dir);
    const there = await openTempStore(dir);
    return { here, there };
  }

  it('a person enrolled by another process is found at the next search', async () => {
    const { here, there } = await two();
    const faceIndex = await open(here);
    await enrol(there, LIVE, 'alice', EAST);
    expect(people(await find(here, faceIndex, LIVE, EAST, 0.5))).toEqual(['alice']);
  });

  it('a person erased by another process leaves the index, even without searches', async () => {
    const { here, there } = await two();
    await enrol(here, LIVE, 'alice', EAST);
    await enrol(here, LIVE, 'bob', EAST);
    const faceIndex = await open(here);
    const end = followFaceIndex(here, faceIndex, { onRebuilt: () => undefined, onError: () => undefined });
    onTestFinished(end);
    await erase(there, LIVE, 'alice');
    // As the entry in the audit log does.
    there.announce('audit');
    await expect.poll(() => faceIndex.enrolled(LIVE)).toBe(1);
    expect((await faceIndex.search(LIVE, EAST, -1)).candidates).toEqual(['bob']);
  });

  it('a database restored to an older state is loaded again', async () => {
    const { here, there } = await two();
    await enrol(here, LIVE, 'alice', EAST);
    await enrol(here, LIVE, 'bob', NORTH);
    const faceIndex = await open(here);
    await there.tx(async (tx) => {
      await tx.run(`DELETE FROM templates WHERE person_id = 'bob'`);
      await tx.run(`DELETE FROM face_changes WHERE person_id = 'bob'`);
    });
    expect((await faceIndex.search(LIVE, NORTH, 0.9)).candidates).toEqual([]);
    expect(faceIndex.enrolled(LIVE)).toBe(1);
  });

  it('the check rebuilds an index that disagrees with the store, and leaves one that agrees', async () => {
    const { here, there } = await two();
    await enrol(here, LIVE, 'alice', EAST);
    await enrol(here, LIVE, 'bob', NORTH);
    const faceIndex = await open(here);
    expect(await faceIndex.check()).toEqual([]);
    await there.tx(async (tx) => {
      const last = await tx.one<{ seq: number }>('SELECT MAX(seq) AS seq FROM face_changes');
      await tx.run(`DELETE FROM templates WHERE person_id = 'bob'`);
      // As if the log had lost the change.
      await tx.run(`UPDATE face_changes SET seq = ? WHERE person_id = 'bob'`, last?.seq ?? 0);
    });
    expect(await faceIndex.check()).toEqual([LIVE]);
    expect(faceIndex.enrolled(LIVE)).toBe(1);
  });
});

describe('recall over any history', () => {
  const PEOPLE = ['a', 'b', 'c', 'd', 'e', 'f'];
  const vector = fc
    .array(fc.integer({ min: -9, max: 9 }), { minLength: 4, maxLength: 4 })
    .filter((values) => values.some((value) => value !== 0))
    .map((values) => toUnitLength(Float32Array.from(values)));
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('enrol'), person: fc.constantFrom(...PEOPLE), vector }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('erase'), person: fc.constantFrom(...PEOPLE), vector }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('drop'), person: fc.constantFrom(...PEOPLE), vector }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('search'), person: fc.constant('a'), vector }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pack'), person: fc.constant('a'), vector }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart'), person: fc.constant('a'), vector }) },
  );

  it('a search begun at any time and compared at any later one finds exactly the people that brute force finds', async () => {
    const db = await openStore();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        vector,
        fc.constantFrom(-0.5, 0.2, 0.5, 0.8),
        async (steps, probe, floor) => {
          for (const person of PEOPLE) await erase(db, LIVE, person);
          const enrolled = new Map<string, Float32Array[]>();
          let faceIndex = await openFaceIndex(db, MODEL);
          let found = await faceIndex.search(LIVE, probe, floor);
          for (const { kind, person, vector: face } of steps) {
            const kept = enrolled.get(person) ?? [];
            switch (kind) {
              case 'enrol':
                await enrol(db, LIVE, person, face);
                enrolled.set(person, [...kept, face]);
                break;
              case 'erase':
                await erase(db, LIVE, person);
                enrolled.delete(person);
                break;
              case 'drop': {
                const [oldest] = await listTemplatesOf(db, LIVE, MODEL.id, person);
                if (oldest) await db.tx((tx) => deleteTemplate(tx, LIVE, oldest.seq));
                if (kept.length > 1) enrolled.set(person, kept.slice(1));
                else enrolled.delete(person);
                break;
              }
              case 'search':
                found = await faceIndex.search(LIVE, probe, floor);
                break;
              case 'pack':
                await faceIndex.pack();
                break;
              case 'restart':
                await faceIndex.close();
                faceIndex = await openFaceIndex(db, MODEL);
            }
          }
          const expected = [...enrolled].flatMap(([personId, templates]) =>
            cosine(probe, normalisedMean(templates)) >= floor ? [personId] : [],
          );
          const hits = await db.tx((tx) => faceIndex.compare(tx, LIVE, probe, floor, found));
          expect(people(hits).sort()).toEqual(expected.sort());
          expect(people(await find(db, faceIndex, LIVE, probe, floor)).sort()).toEqual(expected);
          await faceIndex.close();
        },
      ),
      { numRuns: sized(12, 40) },
    );
  });

  it('two nodes that enrol and erase at the same time each find exactly the people that brute force finds', async () => {
    const dir = tempDir();
    const nodes = [await openStore(dir), await openTempStore(dir)] as const;
    const indexes = [await open(nodes[0]), await open(nodes[1])] as const;
    const kept = new Map<string, Float32Array>();
    const visit = async (n: number) => {
      const [here, there] = n % 2 === 0 ? nodes : [nodes[1], nodes[0]];
      const personId = `person-${n}`;
      const vector = toUnitLength(Float32Array.of(1, Math.sin(n), Math.cos(n), n % 3));
      await here.tx(async (tx) => {
        await insertPerson(tx, LIVE, personId, NOW);
        await insertTemplate(tx, LIVE, template(personId, vector));
        // Some commit later after drawing their number.
        for (let statement = 0; statement < n % 7; statement += 1) await tx.one('SELECT 1');
      }, LIVE);
      await indexes[n % 2 === 0 ? 1 : 0].search(LIVE, EAST, 0);
      if (n % 4 === 0) await erase(there, LIVE, personId);
      else kept.set(personId, vector);
    };
    await Promise.all(Array.from({ length: 60 }, (_, n) => visit(n)));
    for (const probe of [EAST, NORTH]) {
      const expected = [...kept].flatMap(([id, vector]) => (cosine(probe, vector) >= 0.5 ? [id] : []));
      for (const [n, index] of indexes.entries()) {
        expect(people(await find(nodes[n]!, index, LIVE, probe, 0.5)).sort()).toEqual(expected.sort());
      }
    }
  });

  it('with searches and erasures at the same time, present people are found, and those erased before the comparison are not', async () => {
    const db = await openStore();
    for (const person of PEOPLE) await enrol(db, LIVE, person, EAST);
    const faceIndex = await open(db);
    const [during] = await Promise.all([
      find(db, faceIndex, LIVE, EAST, 0.9),
      ...PEOPLE.slice(0, 3).map((person) => erase(db, LIVE, person)),
    ]);
    for (const kept of PEOPLE.slice(3)) expect(people(during)).toContain(kept);
    expect(people(await find(db, faceIndex, LIVE, EAST, 0.9)).sort()).toEqual(PEOPLE.slice(3));
  });
});

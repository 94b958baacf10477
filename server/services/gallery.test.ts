/** The gallery stays in step with the store, and together with a look inside the transaction misses nobody. */
import { describe, expect, it } from 'vitest';
import { toUnitLength } from '../domain/matching.ts';
import type { Scope } from '../domain/scope.ts';
import type { Database } from '../store/port.ts';
import { insertTemplate } from '../store/templates.ts';
import { NOW, seedCompany, seedPerson } from '../testing/rows.ts';
import { openTempStore } from '../testing/temp-store.ts';
import { openGallery } from './gallery.ts';

const MODEL = { id: 'm', embeddingLength: 4 };
const LIVE: Scope = { companyId: 'c', partition: 'live' };
const TEST: Scope = { companyId: 'c', partition: 'test' };
const EAST = Float32Array.of(1, 0, 0, 0);
const NORTH = Float32Array.of(0, 1, 0, 0);

async function openStore(): Promise<Database> {
  const db = await openTempStore();
  await seedCompany(db, 'c');
  return db;
}

async function enrol(db: Database, scope: Scope, personId: string, vector: Float32Array, model = MODEL.id) {
  const known = await db.one('SELECT 1 FROM people WHERE id = ?', personId);
  if (!known) await seedPerson(db, scope, personId);
  await db.tx((tx) =>
    insertTemplate(tx, scope, { personId, passId: 'p', model, vector, quality: 1, at: NOW }),
  );
}

const people = (hits: { personId: string }[]) => hits.map(({ personId }) => personId);

describe('what is searched', () => {
  it('at the start, everyone who is enrolled', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST);
    await enrol(db, LIVE, 'bob', NORTH);
    const gallery = await openGallery(db, MODEL);
    expect(await gallery.search(LIVE, EAST, 0.5)).toMatchObject({
      enrolled: 2,
      hits: [{ personId: 'alice' }],
    });
  });

  it('is the scope alone', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST);
    const gallery = await openGallery(db, MODEL);
    for (const scope of [TEST, { companyId: 'other', partition: 'live' } as const]) {
      expect(await gallery.search(scope, EAST, -1)).toEqual({ hits: [], enrolled: 0, seenSeq: 0 });
      expect(await gallery.searchSince(db, scope, EAST, -1, 0)).toEqual([]);
    }
  });

  it('is one model alone: embeddings of two are not comparable', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST, 'an older model');
    const gallery = await openGallery(db, MODEL);
    expect((await gallery.search(LIVE, EAST, -1)).hits).toEqual([]);
    expect(await gallery.searchSince(db, LIVE, EAST, -1, 0)).toEqual([]);
  });

  it('grows by what has been committed since, counting each template once', async () => {
    const db = await openStore();
    const gallery = await openGallery(db, MODEL);
    await enrol(db, LIVE, 'alice', EAST);
    expect(gallery.enrolled(LIVE)).toBe(0);
    await Promise.all([gallery.catchUp(LIVE), gallery.catchUp(LIVE), gallery.catchUp(LIVE)]);
    await enrol(db, LIVE, 'alice', NORTH);
    await Promise.all([gallery.catchUp(LIVE), gallery.catchUp(LIVE)]);
    expect(gallery.enrolled(LIVE)).toBe(1);
    const { hits } = await gallery.search(LIVE, EAST, -1);
    expect(hits[0]?.similarity).toBeCloseTo(Math.SQRT1_2, 5);
  });

  it('catches up over more templates than one page', async () => {
    const db = await openStore();
    for (const personId of ['alice', 'bob']) await seedPerson(db, LIVE, personId);
    await db.tx(async (tx) => {
      for (let n = 0; n < 4_001; n++) {
        const personId = n === 4_000 ? 'bob' : 'alice';
        const vector = n === 4_000 ? NORTH : EAST;
        await insertTemplate(tx, LIVE, { personId, passId: 'p', model: 'm', vector, quality: 1, at: NOW });
      }
    });
    const gallery = await openGallery(db, MODEL);
    expect(people((await gallery.search(LIVE, NORTH, 0.9)).hits)).toEqual(['bob']);
  });
});

describe('who was enrolled after the search', () => {
  it('is found inside the settling transaction, before its commit reached the index', async () => {
    const db = await openStore();
    const gallery = await openGallery(db, MODEL);
    await enrol(db, LIVE, 'alice', NORTH);
    await gallery.catchUp(LIVE);
    const { seenSeq, hits } = await gallery.search(LIVE, EAST, 0.5);
    expect(hits).toEqual([]);
    await enrol(db, LIVE, 'late', EAST);
    const found = await db.tx(async (tx) => {
      await insertTemplate(tx, LIVE, {
        personId: 'late',
        passId: 'p',
        model: 'm',
        vector: toUnitLength(Float32Array.of(1, 0.1, 0, 0)),
        quality: 1,
        at: NOW,
      });
      return gallery.searchSince(tx, LIVE, EAST, 0.5, seenSeq);
    });
    expect(people(found)).toEqual(['late']);
  });

  it('is judged by all templates of theirs, those seen before too', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', NORTH);
    const gallery = await openGallery(db, MODEL);
    const { seenSeq } = await gallery.search(LIVE, EAST, 0.5);
    await enrol(db, LIVE, 'alice', EAST);
    const [hit] = await gallery.searchSince(db, LIVE, EAST, 0.5, seenSeq);
    expect(hit?.personId).toBe('alice');
    expect(hit?.similarity).toBeCloseTo(Math.SQRT1_2, 5);
  });

  it('nobody, where nothing came since', async () => {
    const db = await openStore();
    await enrol(db, LIVE, 'alice', EAST);
    const gallery = await openGallery(db, MODEL);
    const { seenSeq } = await gallery.search(LIVE, EAST, 0.5);
    expect(await gallery.searchSince(db, LIVE, EAST, -1, seenSeq)).toEqual([]);
  });
});

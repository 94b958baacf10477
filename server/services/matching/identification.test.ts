/** Whom a face is matched to, on a real database: stand-out, look-alikes, erasure, and people of an older model. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { COHORT_SIZE, cosine, normalisedMean, toUnitLength } from '../../domain/matching/matching.ts';
import { MAX_TEMPLATES } from '../../domain/matching/template-set.ts';
import { insertDistinctPair } from '../../store/reviews/cases.ts';
import { listCohort } from '../../store/matching/cohort.ts';
import { bindExternalId, insertPerson } from '../../store/people/people.ts';
import { insertTemplate, listTemplatesOf } from '../../store/matching/templates.ts';
import { NOW, seedSession, session } from '../../../testing/store/rows.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { readyCohort } from './cohort.ts';
import { enrol } from './enrolment.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { identify, searchFaceIndex } from './identification.ts';
import { NO_OWNERS, ownerFacts } from './owners.ts';
import { matchingReport } from './report.ts';

const MODEL = 'test-model';
const LENGTH = 8;
const DAY_MS = 86_400_000;
/** The direction that most others share; a few components of their own distinguish them. */
const CROWD = 7;

const axis = (n: number) => Float32Array.from({ length: LENGTH }, (_, i) => (i === n ? 1 : 0));
/** At this cosine to `axis(from)`, leaning toward `axis(to)`. */
const between = (from: number, to: number, wanted: number) =>
  Float32Array.from({ length: LENGTH }, (_, i) => {
    if (i === from) return wanted;
    return i === to ? Math.sqrt(1 - wanted ** 2) : 0;
  });

async function openVenue(): Promise<TestService> {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  await service.verification('v');
  return service;
}

type Enrolled = { id: string; face: Float32Array; model?: string };

async function enrolAll(service: TestService, people: readonly Enrolled[]) {
  const scope = service.scope('live');
  await service.deps.db.tx(async (tx) => {
    for (const { id, face, model = MODEL } of people) {
      await insertPerson(tx, scope, id, NOW);
      await insertTemplate(tx, scope, {
        personId: id,
        passId: 'p',
        model,
        vector: toUnitLength(face),
        quality: 1,
        at: NOW,
      });
    }
  });
}

const crowdOf = (size: number): Enrolled[] =>
  Array.from({ length: size }, (_, n) => ({
    id: `other-${n}`,
    face: between(CROWD, 1 + (n % 5), 0.9),
  }));

let sessions = 0;
async function sessionWith(service: TestService, externalId: string | null = null) {
  sessions += 1;
  const run = session(service.scope('live'), 'v', `s${sessions}`, { request: { externalId } });
  return seedSession(service.deps.db, run);
}

async function whoIs(service: TestService, probe: Float32Array, externalId: string | null = null) {
  const run = await sessionWith(service, externalId);
  const search = await searchFaceIndex(service.deps, run.scope, probe);
  return service.deps.db.tx(async (tx) =>
    identify(service.deps, tx, { session: run, owners: await ownerFacts(tx, run) }, search),
  );
}

describe('of two who were told apart', () => {
  async function twins(service: TestService) {
    const scope = service.scope('live');
    await enrolAll(service, [
      { id: 'anna', face: axis(0) },
      { id: 'berta', face: between(0, 1, 0.6) },
    ]);
    await service.deps.db.tx((tx) =>
      bindExternalId(tx, scope, { personId: 'berta', externalId: 'seat-b', verificationId: 'v', at: NOW }),
    );
    return scope;
  }
  /** Most like Anna; near Berta, as on a bad day. */
  const likeAnna = toUnitLength(Float32Array.from([0.9, -0.08, 0.4, 0, 0, 0, 0, 0]));

  it('the owner of the account is recognised, also by a near match', async () => {
    const service = await openVenue();
    const scope = await twins(service);
    expect(await whoIs(service, likeAnna, 'seat-b')).toMatchObject({ personId: 'anna', nearIds: ['berta'] });
    await service.deps.db.tx((tx) => insertDistinctPair(tx, scope, ['anna', 'berta'], NOW));
    expect(await whoIs(service, likeAnna, 'seat-b')).toMatchObject({ personId: 'berta', nearIds: ['anna'] });
  });

  it('a second record that matches as well is named, unless a reviewer has told the two apart', async () => {
    const service = await openVenue();
    const scope = await twins(service);
    const likeBoth = between(0, 1, 0.85);
    expect(await whoIs(service, likeBoth)).toMatchObject({ alsoSameIds: [expect.any(String)] });
    await service.deps.db.tx((tx) => insertDistinctPair(tx, scope, ['anna', 'berta'], NOW));
    expect(await whoIs(service, likeBoth)).toMatchObject({ alsoSameIds: [] });
  });

  it('without the account, and for anybody else, the best match counts', async () => {
    const service = await openVenue();
    const scope = await twins(service);
    await service.deps.db.tx((tx) => insertDistinctPair(tx, scope, ['anna', 'berta'], NOW));
    expect(await whoIs(service, likeAnna)).toMatchObject({ personId: 'anna' });
    expect(await whoIs(service, likeAnna, 'seat-of-a-stranger')).toMatchObject({ personId: 'anna' });
  });
});

describe('a match', () => {
  it('is the same person, near, or a different person with a nearness', async () => {
    const service = await openVenue();
    await enrolAll(service, [{ id: 'alice', face: axis(0) }]);
    expect(await whoIs(service, between(0, 1, 0.56))).toMatchObject({ personId: 'alice', nearIds: [] });
    expect(await whoIs(service, between(0, 1, 0.5))).toMatchObject({ personId: null, nearIds: ['alice'] });
    const stranger = await whoIs(service, between(0, 1, 0.44));
    expect(stranger).toMatchObject({ personId: null, nearIds: [] });
    expect(stranger.nearness).toBeCloseTo(0.44 / 0.55, 5);
  });

  it('without a face, nobody', async () => {
    const service = await openVenue();
    const run = await sessionWith(service);
    const nobody = { personId: null, nearIds: [], alsoSameIds: [], nearness: 0, likeness: null };
    expect(
      await service.deps.db.tx((tx) => identify(service.deps, tx, { session: run, owners: NO_OWNERS }, null)),
    ).toEqual(nobody);
  });
});

describe('a match has to stand out', () => {
  it('a face that is no nearer to its match than to a crowd of others matches nobody', async () => {
    const service = await openVenue();
    await enrolAll(service, [{ id: 'alice', face: between(0, CROWD, 0.6) }, ...crowdOf(COHORT_SIZE + 20)]);
    // Nearer to alice than the threshold requires, but as near to hundreds of others.
    const found = await whoIs(service, between(6, CROWD, 0.6));
    expect(found.personId).toBeNull();
    expect(found.nearIds).not.toContain('alice');
  });

  it('from the first person on: with few enrolled, faces near the model’s own vectors are not the same', async () => {
    const service = await openVenue();
    await enrolAll(service, [{ id: 'alice', face: between(0, CROWD, 0.8) }]);
    // Cosine 0.68 to alice; 0.7 on average to the vectors.
    expect((await whoIs(service, between(6, CROWD, 0.8))).personId).toBeNull();
    expect((await whoIs(service, between(0, 6, 0.8))).personId).toBe('alice');
  });

  it('among the enrolled people, if they are similar, however few', async () => {
    const service = await openVenue();
    const children = Array.from({ length: 20 }, (_, n) => ({
      id: `child-${n}`,
      face: between(1, 2 + (n % 5), 0.8),
    }));
    await enrolAll(service, children);
    // As near to all of them as they are to each other.
    const found = await whoIs(service, between(1, 0, 0.8));
    expect(found).toMatchObject({ personId: null, nearIds: [] });
  });

  it('a model without vectors of its own makes only near matches until 500 people are enrolled', async () => {
    const service = await openVenue();
    service.deps.faces = { ...service.deps.faces, cohort: null };
    await enrolAll(service, [{ id: 'alice', face: axis(0) }]);
    expect(await whoIs(service, axis(0))).toMatchObject({ personId: null, nearIds: ['alice'] });
    await enrolAll(service, crowdOf(COHORT_SIZE));
    expect((await whoIs(service, axis(0))).personId).toBe('alice');
  });

  it('a face apart from the crowd is recognised at the same cosine', async () => {
    const service = await openVenue();
    await enrolAll(service, [{ id: 'alice', face: axis(0) }, ...crowdOf(COHORT_SIZE + 20)]);
    expect((await whoIs(service, between(0, 6, 0.6))).personId).toBe('alice');
  });

  it('a person in the cohort still matches themselves', async () => {
    const service = await openVenue();
    await enrolAll(service, [{ id: 'alice', face: axis(0) }, ...crowdOf(COHORT_SIZE - 1)]);
    expect((await whoIs(service, axis(0))).personId).toBe('alice');
    const cohort = await listCohort(service.deps.db, service.scope('live'), MODEL);
    expect(cohort.map(({ personId }) => personId)).toContain('alice');
  });
});

describe('the cohort', () => {
  const ready = (service: TestService, enrolled: number) =>
    service.deps.db.tx((tx) => readyCohort(tx, service.scope('live'), service.deps.faces, enrolled));
  const ids = (cohort: { personId: string | null }[] | null) =>
    (cohort ?? []).map(({ personId }) => personId ?? '').sort();

  it('is drawn once and stays', async () => {
    const service = await openVenue();
    await enrolAll(service, crowdOf(COHORT_SIZE + 100));
    const first = ids(await ready(service, COHORT_SIZE + 100));
    expect(new Set(first).size).toBe(COHORT_SIZE);
    expect(ids(await ready(service, COHORT_SIZE + 100))).toEqual(first);
  });

  it('contains nobody who was erased: the same transaction replaces them', async () => {
    const service = await openVenue();
    await enrolAll(service, crowdOf(COHORT_SIZE + 1));
    const scope = service.scope('live');
    const [member = ''] = ids(await ready(service, COHORT_SIZE + 1));
    await eraseOnePerson(service.deps, scope, member, 'cli');
    const after = ids(await listCohort(service.deps.db, scope, MODEL));
    expect(after).toHaveLength(COHORT_SIZE);
    expect(after).not.toContain(member);
    expect(service.deps.faceIndex.enrolled(scope)).toBe(COHORT_SIZE);
  });

  it('is filled before it is used, even after another process removed a member', async () => {
    const service = await openVenue();
    await enrolAll(service, crowdOf(COHORT_SIZE + 1));
    const [member = ''] = ids(await ready(service, COHORT_SIZE + 1));
    await service.deps.db.tx((tx) => tx.run('DELETE FROM people WHERE id = ?', member));
    const after = ids(await ready(service, COHORT_SIZE));
    expect(after).toHaveLength(COHORT_SIZE);
    expect(after).not.toContain(member);
  });

  it('consists of all enrolled people, supplemented with the model’s own vectors', async () => {
    const service = await openVenue();
    await enrolAll(service, crowdOf(3));
    const cohort = ids(await ready(service, 3));
    expect(cohort).toHaveLength(COHORT_SIZE);
    expect(cohort.slice(-3)).toEqual(['other-0', 'other-1', 'other-2']);
    expect(cohort.slice(0, -3).every((id) => id === '')).toBe(true);
  });
});

describe('templates', () => {
  it('of a person are kept up to a number; then the most redundant is dropped', async () => {
    const service = await openVenue();
    const { db } = service.deps;
    const scope = service.scope('live');
    const run = await sessionWith(service);
    const come = (personId: string | null, vector: Float32Array, at: number) =>
      db.tx((tx) =>
        enrol(tx, run, {
          personId,
          owners: NO_OWNERS,
          enrolment: { kind: 'template', model: MODEL, vector, quality: 1 },
          passId: 'p',
          at,
        }),
      );
    const personId = await come(null, axis(0), NOW);
    for (let n = 1; n < MAX_TEMPLATES; n++) await come(personId, axis(n), NOW + n * DAY_MS);
    await come(personId, between(2, 6, 0.95), NOW + 9 * DAY_MS);
    const kept = await listTemplatesOf(db, scope, MODEL, personId);
    expect(kept).toHaveLength(MAX_TEMPLATES);
    expect(kept[0]?.vector).toEqual(axis(0));
    expect(kept.map(({ vector }) => vector)).not.toContainEqual(axis(2));
    await come(personId, axis(0), NOW + 10 * DAY_MS);
    expect(await listTemplatesOf(db, scope, MODEL, personId)).toEqual(kept);
  });
});

describe('the further views of a first visit', () => {
  const views = [between(0, 6, 0.75), between(0, 7, 0.7), between(0, 8, 0.8)];
  async function first(personId: string | null = null) {
    const service = await openVenue();
    const scope = service.scope('live');
    if (personId !== null) await enrolAll(service, [{ id: personId, face: axis(0) }]);
    const run = await sessionWith(service);
    const id = await service.deps.db.tx((tx) =>
      enrol(tx, run, {
        personId,
        owners: NO_OWNERS,
        enrolment: { kind: 'template', model: MODEL, vector: between(0, 5, 0.9), quality: 1, views },
        passId: 'p',
        at: NOW,
      }),
    );
    const templates = () => listTemplatesOf(service.deps.db, scope, MODEL, id);
    return { service, scope, id, templates };
  }

  it('of which two are kept, found by their mean with the first, and counted as one person', async () => {
    const { service, scope, id, templates } = await first();
    const kept = await templates();
    expect(kept.map(({ vector }) => vector)).toEqual([between(0, 5, 0.9), views[1], views[0]]);
    const found = await searchFaceIndex(service.deps, scope, axis(0));
    expect(found.found.enrolled).toBe(1);
    const hits = await service.deps.db.tx((tx) =>
      service.deps.faceIndex.compare(tx, scope, axis(0), 0.5, found.found),
    );
    expect(hits.map(({ personId }) => personId)).toEqual([id]);
    expect(hits[0]?.similarity).toBeCloseTo(
      cosine(axis(0), normalisedMean(kept.map(({ vector }) => vector))),
      5,
    );
  });

  it('are erased with the person', async () => {
    const { service, scope, id, templates } = await first();
    await eraseOnePerson(service.deps, scope, id, 'cli');
    expect(await templates()).toEqual([]);
    const { found } = await searchFaceIndex(service.deps, scope, axis(0));
    expect(found.enrolled).toBe(0);
  });

  it('is not kept for a person who has been here before', async () => {
    const { templates } = await first('alice');
    expect((await templates()).map(({ vector }) => vector)).toEqual([axis(0), between(0, 5, 0.9)]);
  });
});

describe('after the embedding model was replaced', () => {
  async function renewed() {
    const service = await openVenue();
    const scope = service.scope('live');
    await enrolAll(service, [
      { id: 'alice', face: axis(0), model: 'older' },
      { id: 'bob', face: axis(1) },
    ]);
    await service.deps.db.tx(async (tx) => {
      for (const personId of ['alice', 'bob'])
        await bindExternalId(tx, scope, {
          personId,
          externalId: `id-${personId}`,
          verificationId: 'v',
          at: NOW,
        });
    });
    return service;
  }

  it('a face alone does not match people known only to the older model', async () => {
    expect((await whoIs(await renewed(), axis(0))).personId).toBeNull();
  });

  it('a person who brings a known ID is accepted as that person, and enrolled again', async () => {
    expect((await whoIs(await renewed(), axis(5), 'id-alice')).personId).toBe('alice');
  });

  it('an ID does not override a face that the current model knows', async () => {
    expect((await whoIs(await renewed(), axis(5), 'id-bob')).personId).toBeNull();
    expect((await whoIs(await renewed(), axis(1), 'id-alice')).personId).toBe('bob');
  });

  it('the report counts templates that are not compared', async () => {
    const service = await renewed();
    expect(await matchingReport(service.deps, service.scope('live'))).toMatchObject({
      model: MODEL,
      enrolled: 1,
      templates: 1,
      olderTemplates: [{ model: 'older', templates: 1, people: 1 }],
    });
  });
});

describe('the report', () => {
  it('has the thresholds, the expected false candidates and the measured range', async () => {
    const service = await openVenue();
    const scope = service.scope('live');
    const few = await matchingReport(service.deps, scope);
    expect(few).toMatchObject({
      enrolled: 0,
      near: { cosine: 0.45, standout: 0.2, expectedFalseCandidates: 0, rateMeasured: true },
      same: { cosine: 0.55, standout: 0.25, expectedFalseCandidates: 0, rateMeasured: true },
      standoutInForce: true,
      standoutFrom: 500,
      thresholdsMeasured: true,
      enrolledMeasured: true,
    });
    await enrolAll(service, crowdOf(1_001));
    const many = await matchingReport(service.deps, scope);
    expect(many).toMatchObject({ enrolled: 1_001, standoutInForce: true, thresholdsMeasured: false });
    expect(many.near.expectedFalseCandidates).toBeCloseTo(0.033, 3);
  });
});

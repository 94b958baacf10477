/** The faces of an event end with it: what is deleted, when, and what certifies it (decisions §1.5). */
import { describe, expect, it, onTestFinished } from 'vitest';
import { insertTemplate } from '../../store/matching/templates.ts';
import { insertPerson } from '../../store/people/people.ts';
import { findOpenHold } from '../../store/people/retention-holds.ts';
import { insertCaseFrames } from '../../store/reviews/case-frames.ts';
import { insertEvent, updateEvent } from '../../store/venue/events.ts';
import { run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, testClock } from '../../../testing/service/temp-service.ts';
import { NOW, venueEvent } from '../../../testing/store/rows.ts';
import { captureTestFace, reviewTestRun } from '../capture/test-capture.ts';
import { confirmCleanUp, createCleanUp } from './clean-up.ts';
import { createServiceClock } from '../ports/clock.ts';
import { changeEvent } from '../venue/events.ts';
import { readReport } from '../venue/report.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ADMIN = 'operator:ada';

/** An event that ends in 8 hours, with this many faces, and as many of the organiser. */
async function evening(faces: number, facesDays = 1) {
  const service = await openTestService();
  const { deps, company } = service;
  const { db } = deps;
  const scope = service.scope('test');
  const event = venueEvent(scope, company.default_verification_id, 'event-0', { faces: 'event', facesDays });
  await db.tx(async (tx) => {
    await insertEvent(tx, event);
    for (const eventId of ['event-0', undefined])
      for (let n = 0; n < faces; n += 1) {
        const personId = `person-${eventId ?? 'own'}-${n}`;
        await insertPerson(tx, scope, personId, NOW);
        await insertTemplate(
          tx,
          { ...scope, ...(eventId !== undefined && { eventId }) },
          {
            ...{ personId, passId: 'pass', model: 'test-model', quality: 1, at: NOW },
            vector: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0),
          },
        );
      }
  });
  const wall = testClock(NOW);
  const clock = await createServiceClock(db, { wall, onError: () => undefined });
  onTestFinished(() => clock.close());
  const cleanUp = createCleanUp({
    db,
    clock,
    backUp: async () => 'backup',
    replaceBackups: async () => ({ replaced: [], byHand: [] }),
    onHold: () => undefined,
  });
  const own = async () =>
    (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM templates WHERE event_id = 'event-0'`))?.n;
  const report = () => readReport({ db, clock }, scope, 'event-0');
  /** The service looks every hour, as it does every minute. */
  const pass = async (hours: number) => {
    for (let n = 0; n < hours; n += 1) {
      wall.advance(HOUR_MS);
      await clock.sync();
      await cleanUp.endEvents();
    }
  };
  const confirm = async () => {
    const hold = await findOpenHold(db);
    return hold !== undefined && confirmCleanUp({ db, clock, deletions: clock }, hold.id, ADMIN);
  };
  return {
    ...service,
    db,
    testScope: scope,
    event,
    wall,
    serviceClock: clock,
    cleanUp,
    own,
    report,
    pass,
    confirm,
  };
}

describe('the end of an event’s faces', () => {
  it('comes at its time, of however many, and not before; those of the organiser stay', async () => {
    const { pass, own, db, report } = await evening(30);
    await pass(8 + 23);
    expect([await own(), (await report()).faces_ends]).toEqual([30, []]);
    await pass(1);
    expect(await own()).toBe(0);
    expect(await db.one('SELECT COUNT(*) AS n FROM templates')).toEqual({ n: 30 });
    expect(await findOpenHold(db)).toBeUndefined();
  });

  it('is certified once, with counts and the hash of its audit entry, also without any face', async () => {
    for (const faces of [30, 0]) {
      const { pass, report, db } = await evening(faces);
      await pass(8 + 24 + 3);
      const entry = await db.one<{ seq: number; hash: Uint8Array }>(
        `SELECT seq, hash FROM audit_entries WHERE action = 'event.faces_ended'`,
      );
      expect((await report()).faces_ends).toEqual([
        expect.objectContaining({
          ended_at: expect.stringMatching(/^2030-05-16T20:00:0/) as string,
          removed: { people: faces, faces, case_faces: 0, case_pictures: 0 },
          audit_seq: entry?.seq,
          hash: Buffer.from(entry?.hash ?? []).toString('hex'),
        }),
      ]);
    }
  });

  it.each([
    ['at its door', 'event-0'],
    ['at home', 'home:event-0'],
  ])('takes the templates and pictures of reviews %s, which can still be decided', async (_where, group) => {
    const service = await evening(0);
    const { db, deps, testScope: scope, pass, report } = service;
    const body = { group, config: { collision: { action: 'review' } } };
    await run(service, 'alice', body);
    const waiting = await startRun(service, {
      ...body,
      config: { ...body.config, skip: { window_hours: 0 } },
    });
    await captureTestFace(deps, waiting, 'alice');
    const opened = await db.one<{ id: string }>('SELECT id FROM review_cases');
    await db.tx(async (tx) => {
      await tx.run('UPDATE review_cases SET vector = ?, test_face = NULL', new Uint8Array(32));
      const framing = { centre: { x: 0.5, y: 0.5 }, width: 0.4, tilt: 0 } as never;
      await insertCaseFrames(tx, scope, opened?.id ?? '', [
        { jpeg: new Uint8Array(8), takenAt: NOW, framing },
      ]);
    });
    await pass(8 + 24);
    expect((await report()).faces_ends[0]?.removed).toMatchObject({ case_faces: 1, case_pictures: 1 });
    expect(await db.one('SELECT COUNT(*) AS n FROM case_frames')).toEqual({ n: 0 });
    expect(await db.one('SELECT COUNT(vector) AS n FROM review_cases')).toEqual({ n: 0 });
    expect(await db.one('SELECT COUNT(*) AS n FROM test_faces')).toEqual({ n: 0 });
    const decided = await reviewTestRun(deps, await sessionOf(service, waiting.id), 'approve');
    expect(decided.result?.verified).toBe(true);
  });

  it('follows an earlier end, and a later one', async () => {
    const { pass, own, db, event } = await evening(30);
    await db.tx((tx) => updateEvent(tx, { ...event, endsAt: NOW + 10 * HOUR_MS }));
    await pass(10 + 23);
    expect(await own()).toBe(30);
    await db.tx((tx) => updateEvent(tx, { ...event, endsAt: NOW + 10 * HOUR_MS, facesDays: 0 }));
    await pass(1);
    // Nobody saw it come: 30 of 60 faces wait for an admin.
    expect([await own(), (await findOpenHold(db))?.reason]).toEqual([30, 'many_faces']);
  });

  it('a clock that leaps past it deletes nothing of many faces until an admin confirms it', async () => {
    const { wall, cleanUp, own, db, serviceClock: clock, confirm, report } = await evening(30);
    await cleanUp.endEvents();
    wall.advance(40 * HOUR_MS);
    await clock.sync();
    await cleanUp.endEvents();
    expect([await own(), (await findOpenHold(db))?.reason]).toEqual([30, 'many_faces']);
    await cleanUp.endEvents();
    expect(await own()).toBe(30);
    expect(await confirm()).toBe(true);
    await cleanUp.resume();
    expect(await own()).toBe(0);
    expect((await report()).faces_ends).toHaveLength(1);
  });

  it('a clock that leaps by more than two days deletes nothing at all', async () => {
    const { wall, cleanUp, own, db, serviceClock: clock } = await evening(5);
    wall.advance(5 * DAY_MS);
    await clock.sync();
    await cleanUp.endEvents();
    expect([await own(), (await findOpenHold(db))?.reason]).toEqual([5, 'clock_ahead']);
  });

  it('what a killed process began is finished and counted in one certificate', async () => {
    const { pass, own, report, db, testScope: scope } = await evening(30);
    await db.tx((tx) =>
      tx.run(
        `INSERT INTO event_face_ends (id, company_id, partition, event_id, begun_at, removed) VALUES (?, ?, ?, ?, ?, ?)`,
        'begun',
        scope.companyId,
        scope.partition,
        'event-0',
        NOW,
        JSON.stringify({ people: 40, faces: 10, case_faces: 0, case_pictures: 0 }),
      ),
    );
    await pass(8 + 24);
    expect(await own()).toBe(0);
    expect((await report()).faces_ends).toEqual([
      expect.objectContaining({ removed: { people: 40, faces: 40, case_faces: 0, case_pictures: 0 } }),
    ]);
  });
});

describe('what guests agreed to', () => {
  it('once a check has begun, faces are kept no longer, searched for no further, and moved to no other group', async () => {
    const service = await evening(0);
    const { deps, testScope: scope, db } = service;
    const change = (body: object) =>
      refusalOf(changeEvent(deps, scope, 'event-0', { reason: 'plans changed', ...body }, ADMIN));
    expect(await change({ faces_days: 2 })).toBe('(not refused)');
    await startRun(service, { group: 'event-0' });
    expect(await change({ faces: 'organiser' })).toBe('event_faces_fixed');
    expect(await change({ faces_days: 3 })).toBe('event_faces_fixed');
    expect(await change({ group: 'another' })).toBe('event_faces_fixed');
    expect(await change({ faces_days: 0, name: 'Late run' })).toBe('(not refused)');
    expect(await db.one('SELECT faces, faces_days AS days FROM events')).toEqual({ faces: 'event', days: 0 });
  });
});

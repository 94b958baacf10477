/** Each event with faces of its own has a pool: no other event and no plain call is compared with it. */
import { describe, expect, it } from 'vitest';
import type { Faces } from '../../contract/console/events.ts';
import { findVerification } from '../../store/companies/verifications.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { runConnected, startConnected } from '../../../testing/service/connect-runs.ts';
import { NO_SKIP, passOf, run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { NOW, venueEvent } from '../../../testing/store/rows.ts';
import { readPersonFacts } from '../../store/people/profile.ts';
import type { OwnPerson } from '../../store/runs/my-sessions.ts';
import { keptOf } from '../runs/kept-data.ts';
import { settleChecked } from '../settling/settlement.ts';
import { openFaceIndex } from './face-index.ts';
import { poolOfRun } from './face-pool.ts';
import { identify, searchFaceIndex } from './identification.ts';

const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);

async function events(...faces: Faces[]) {
  const service = await openTestService();
  const { deps, scope, company } = service;
  for (const [n, each] of faces.entries())
    await deps.db.tx((tx) =>
      insertEvent(
        tx,
        venueEvent(scope('test'), company.default_verification_id, `event-${n}`, { faces: each }),
      ),
    );
  return service;
}

/** The person whom the run's face turned out to be. */
async function check({ deps }: TestService, session: Session, probe = FACE): Promise<string | null> {
  const { pool } = await poolOfRun(deps.db, session);
  const search = await searchFaceIndex(deps, pool, probe);
  const verification = await findVerification(deps.db, session.scope.companyId, session.verificationId);
  const { pass } = await settleChecked(
    deps,
    { session, verification },
    {
      liveness: { passed: true },
      findings: [],
      guard: async () => true,
      identify: async (tx, owners) => ({
        ...(await identify(deps, tx, { session, owners }, search)),
        enrolment: { kind: 'template', model: deps.faces.embeddingModel, vector: probe, quality: 1 },
        score: 1,
      }),
    },
  );
  return pass?.personId ?? null;
}

const at = (group?: string, more: object = {}) => ({ ...NO_SKIP, ...(group && { group }), ...more });

describe('an event with faces of its own', () => {
  it('knows its guests again, and no other event or plain call does', async () => {
    const service = await events('event', 'event', 'organiser');
    const seen = async (group?: string) => check(service, await startRun(service, at(group)));
    const first = await seen('event-0');
    expect(await seen('event-0')).toBe(first);
    const second = await seen('event-1');
    const plain = await seen();
    expect(new Set([first, second, plain]).size).toBe(3);
    expect(await seen('event-2')).toBe(plain);
    const { faceIndex } = service.deps;
    const scope = service.scope('test');
    await faceIndex.catchUp(scope);
    const pools = [scope, { ...scope, eventId: 'event-0' }, { ...scope, eventId: 'event-1' }];
    expect(pools.map((pool) => faceIndex.enrolled(pool))).toEqual([1, 1, 1]);
  });

  it('its pools are loaded at a start, without a packed row, and followed by another process', async () => {
    const service = await events('event');
    const first = await check(service, await startRun(service, at('event-0')));
    const { db, faceIndex } = service.deps;
    while ((await faceIndex.pack()) > 0);
    expect(await db.one('SELECT COUNT(*) AS n FROM face_rows')).toEqual({ n: 0 });
    const other = await openFaceIndex(db, { id: 'test-model', embeddingLength: 8 });
    const pool = { ...service.scope('test'), eventId: 'event-0' };
    try {
      expect((await other.search(pool, FACE, 0.9)).candidates).toEqual([first]);
      await db.tx((tx) => tx.run(`DELETE FROM templates WHERE event_id = 'event-0'`));
      await other.catchUpAll();
      expect((await other.search(pool, FACE, -1)).candidates).toEqual([]);
      expect(await other.check()).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('test faces are those of the event as well', async () => {
    const service = await events('event', 'event');
    const person = async (group?: string) =>
      (await passOf(service, await run(service, 'alice', at(group)))).personId;
    const first = await person('event-0');
    expect(await person('event-0')).toBe(first);
    expect(await person('event-1')).not.toBe(first);
    expect(await person()).not.toBe(first);
  });

  it('an account that other pools know is accepted with the first face that is nobody’s here, and no other', async () => {
    const service = await events('event', 'event');
    const as = (group?: string) => at(group, { external_id: 'member-1' });
    const owner = await check(service, await startRun(service, as()));
    expect(await check(service, await startRun(service, as('event-0')))).toBe(owner);
    const stranger = Float32Array.of(0, 1, 0, 0, 0, 0, 0, 0);
    const denied = await startRun(service, as('event-0'));
    await check(service, denied, stranger);
    const reasons = await service.deps.db.one('SELECT reasons FROM passes WHERE session_id = ?', denied.id);
    expect(reasons).toEqual({ reasons: '["external_identity_mismatch"]' });
  });

  it.each(['event-0', 'home:event-0'])(
    'who was only ever checked in %s is accepted by a plain call once; an enrolled one only with their face',
    async (group) => {
      const service = await events('event');
      const as = (group?: string) => at(group, { external_id: 'member-1' });
      const guest = await check(service, await startRun(service, as(group)));
      await service.deps.db.tx((tx) => tx.run(`DELETE FROM templates WHERE event_id = 'event-0'`));
      expect(await check(service, await startRun(service, as()))).toBe(guest);
      await service.deps.db.tx((tx) => tx.run('DELETE FROM templates'));
      expect(await check(service, await startRun(service, as()))).not.toBe(guest);
    },
  );

  it('a visit to it does not change how long the organiser keeps a face', async () => {
    const service = await events('event');
    const as = (group?: string) => at(group, { external_id: 'member-1' });
    const owner = await check(service, await startRun(service, as()));
    const days = () =>
      service.deps.db.one('SELECT retention_days AS days FROM people WHERE id = ?', owner ?? '');
    const before = await days();
    await check(service, { ...(await startRun(service, as('event-0'))), retentionDays: 2 });
    expect(await days()).toEqual(before);
  });

  it('with a verified number nobody joins it without a check, so that their face is there the next time', async () => {
    const service = await events('event');
    await runConnected(service, 'alice', { external_id: 'user-1', region: 'spring' });
    const { id } = await startConnected(service, { external_id: 'user-2', region: 'event-0' });
    expect((await sessionOf(service, id)).state).toBe('open');
    const known = await passOf(
      service,
      await captureTestFace(service.deps, await sessionOf(service, id), 'alice'),
    );
    const people = await service.deps.db.one('SELECT COUNT(*) AS n FROM people');
    expect([known.status, people]).toEqual(['approved', { n: 1 }]);
  });

  it('an imported person keeps their account although they came to an event first', async () => {
    const service = await events('event');
    const as = (group?: string) => at(group, { external_id: 'member-1' });
    const guest = await check(service, await startRun(service, as('event-0')));
    const { db } = service.deps;
    await db.tx((tx) =>
      tx.run(
        `INSERT INTO passes (id, session_id, company_id, partition, verification_id, person_id, status, reasons, groups,
           group_id, declined, external_id, settled_at, generation)
         SELECT 'imported', NULL, company_id, partition, verification_id, person_id, 'approved', '[]', '[]', NULL, 0,
           external_id, settled_at, generation FROM passes`,
      ),
    );
    expect(await check(service, await startRun(service, as()))).toBe(guest);
  });

  it('what is kept about a guest names the end of the event’s face, beside the one that the organiser keeps', async () => {
    const service = await events('event');
    const { deps, clock } = service;
    const scope = service.scope('test');
    const as = (group?: string) => at(group, { external_id: 'member-1' });
    const personId = (await check(service, await startRun(service, as()))) ?? '';
    await check(service, await startRun(service, as('event-0')));
    const kept = await keptOf(deps, { scope, personId, lastSeenAt: clock.now() } as OwnPerson);
    expect(kept.filter(({ what }) => what === 'face')).toEqual([
      { what: 'face', until: expect.any(String) as string, event: null },
      { what: 'face', until: new Date(NOW + 32 * 3_600_000).toISOString(), event: 'Night run' },
    ]);
    const { templates } = await readPersonFacts(deps.db, scope, personId);
    const ofEvents = templates.map(({ event, untilMs }) => [event, untilMs]);
    expect(ofEvents).toEqual(
      expect.arrayContaining([
        [null, null],
        ['Night run', NOW + 32 * 3_600_000],
      ]),
    );
  });

  it('after its faces have ended nobody is enrolled in it', async () => {
    const service = await events('event');
    service.clock.advance(3 * 86_400_000);
    await check(service, await startRun(service, at('event-0')));
    expect(await service.deps.db.one('SELECT COUNT(*) AS n FROM templates')).toEqual({ n: 0 });
  });
});

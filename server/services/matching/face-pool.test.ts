/** Each event with faces of its own has a pool: no other event and no plain call is compared with it. */
import { describe, expect, it } from 'vitest';
import { CONSENT_VERSIONS, consentDigest } from '../../contract/consent-texts.ts';
import type { Faces } from '../../contract/console/events.ts';
import { EVENT_CONSENT_VERSIONS, TICKET_CONSENT_VERSIONS } from '../../contract/event-consents.ts';
import { findVerification } from '../../store/companies/verifications.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { runConnected, startConnected } from '../../../testing/service/connect-runs.ts';
import { NO_SKIP, passOf, run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { NOW, venueEvent } from '../../../testing/store/rows.ts';
import { readPersonFacts } from '../../store/people/profile.ts';
import type { OwnPerson } from '../../store/runs/my-sessions.ts';
import { readSessionDetail } from '../passes/detail.ts';
import { giveConsent, readSnapshot } from '../runs/flow.ts';
import { initialize } from '../runs/initialize.ts';
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

describe('the consent to a check', () => {
  const agreeing = async (faces: Faces, group = 'event-0') => {
    const service = await events(faces);
    const { deps } = service;
    const { session_id } = await initialize(deps, await service.caller('sk_test'), { group });
    const id = session_id ?? '';
    return {
      service,
      id,
      snapshot: () => readSnapshot(deps, id),
      agree: async (shown: object) =>
        giveConsent(deps, await sessionOf(service, id), { accepted: true, ...shown }),
    };
  };

  it.each(['event-0', 'home:event-0'])(
    'of an event with faces of its own names and records the days after the event, in %s',
    async (group) => {
      const { service, id, snapshot, agree } = await agreeing('event', group);
      expect((await snapshot()).faces_days).toBe(1);
      await agree({ text_version: EVENT_CONSENT_VERSIONS.hosted, language: 'en', faces_days: 1 });
      const scope = service.scope('test');
      const { consent, timeline } = await readSessionDetail(service.deps, scope, id, 'admin');
      expect(consent).toMatchObject({ faces_days: 1, retention_days: null });
      expect(consent?.text).toContain('Up to {duration} after the event.');
      expect(consent?.text).not.toContain('Until the event ends.');
      const [given] = timeline.flatMap(({ kind, details }) => (kind === 'consent' ? [details] : []));
      expect(given).toMatchObject({
        faces_days: 1,
        digest: consentDigest(EVENT_CONSENT_VERSIONS.hosted, 'en'),
      });
      expect(given).not.toHaveProperty('retention_days');
    },
  );

  it.each([
    ['event', CONSENT_VERSIONS.hosted, {}],
    ['event', CONSENT_VERSIONS.kiosk, { retention_days: 30 }],
    ['event', EVENT_CONSENT_VERSIONS.kiosk, { faces_days: 2 }],
    ['organiser', EVENT_CONSENT_VERSIONS.hosted, {}],
    ['event', TICKET_CONSENT_VERSIONS.kiosk, { faces_days: 1 }],
    ['ticket', EVENT_CONSENT_VERSIONS.kiosk, { faces_days: 1 }],
    ['organiser', CONSENT_VERSIONS.hosted, { faces_days: 1 }],
  ] as const)(
    'at an event with faces for the %s is refused for %s with %o',
    async (faces, text_version, more) => {
      const { service, id, agree } = await agreeing(faces);
      expect(await refusalOf(agree({ text_version, language: 'en', ...more }))).toBe('consent_replaced');
      expect((await sessionOf(service, id)).consentAt).toBeNull();
    },
  );

  it('of an event that seals faces with tickets says so, and names the days after the event', async () => {
    const { service, id, snapshot, agree } = await agreeing('ticket');
    expect(await snapshot()).toMatchObject({ faces_days: 1, faces_sealed: true });
    await agree({ text_version: TICKET_CONSENT_VERSIONS.kiosk, language: 'en', faces_days: 1 });
    const { consent } = await readSessionDetail(service.deps, service.scope('test'), id, 'admin');
    expect(consent).toMatchObject({ faces_days: 1, retention_days: null });
    expect(consent?.text?.join(' ')).toContain('only while your ticket’s code is shown');
  });

  it('of an event that keeps faces as the organiser does is the usual one', async () => {
    const { service, id, snapshot, agree } = await agreeing('organiser');
    expect(await snapshot()).not.toHaveProperty('faces_days');
    await agree({ text_version: CONSENT_VERSIONS.hosted, language: 'en', retention_days: 30 });
    const { consent } = await readSessionDetail(service.deps, service.scope('test'), id, 'admin');
    expect(consent).toMatchObject({ faces_days: null, retention_days: 30 });
    expect(consent?.text).not.toContain('Nothing is kept after the check.');
  });
});

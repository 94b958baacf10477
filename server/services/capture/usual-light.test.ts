/** Where the page's light is usually seen on faces, a face without it goes to a reviewer, but never many in a row. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectPage, followRequests, helloOf } from '../../../testing/camera/capture/exchange-client.ts';
import { honestCapture } from '../../../testing/service/captures.ts';
import { honestFrame, madeUpPerson } from '../../../testing/service/made-up-people.ts';
import { serveFlow } from '../../../testing/service/flow-server.ts';
import { kiosk as kioskRow } from '../../../testing/store/rows.ts';
import { run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import type { CaptureRequest } from '../../contract/capture.ts';
import type { Scope } from '../../domain/scope.ts';
import { madeUpFrame } from '../../domain/capture/liveness.fixture.ts';
import { addLight, type LightPlace, listRecentLight } from '../../store/capture/page-light.ts';
import { saveKioskRun } from '../../store/venue/kiosk-runs.ts';
import { insertKiosk, pairKiosk, revokeKiosk } from '../../store/venue/kiosks.ts';
import { giveConsent, openSession } from '../runs/flow.ts';
import { initialize } from '../runs/initialize.ts';
import { readPageLight } from '../settling/usual-light.ts';
import { settleCapture } from './capture.ts';

const unlitFrame = (request: CaptureRequest, place: number) =>
  request.tint ? madeUpFrame() : honestFrame(request, place);

type Device = 'kiosk' | 'mobile' | 'desktop';
type Guest = { device: Device; isLit?: boolean; kioskId?: string };

const FRONT: LightPlace = { kind: 'kiosk', id: 'front' };

/** A venue with two paired kiosks. */
async function openVenue() {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const { clock, company } = service;
  const companyId = company.company_id;
  const deps = { ...service.deps, faces: { ...service.deps.faces } };
  const baseUrl = await serveFlow(deps);
  await deps.db.tx(async (tx) => {
    for (const [nth, id] of ['front', 'back'].entries()) {
      const codeHash = Buffer.alloc(32, nth);
      await insertKiosk(tx, kioskRow(companyId, id, { codeHash, at: clock.now() }));
      await pairKiosk(tx, codeHash, { tokenHash: codeHash, publicKey: null, at: clock.now() });
    }
  });
  let guests = 0;
  return {
    service,
    elsewhere: { kind: 'verification', id: company.default_verification_id } as const,
    /** So many captures that passed, with the light. */
    seed: async (place: LightPlace, known: number, scope: Scope = service.scope('test')) => {
      await deps.db.tx(async (tx) => {
        for (let nth = 0; nth < known; nth += 1) await addLight(tx, scope, place, true);
      });
    },
    recent: async ({ id }: LightPlace) =>
      (await listRecentLight(deps.db, service.scope('test'), id)).map(Number).join(''),
    /** @returns the state in which the next guest's run ends */
    check: async ({ device, isLit = true, kioskId }: Guest) => {
      // A face without the light belongs to nobody who was here before.
      const face = new Float32Array(8);
      face[guests % face.length] = isLit ? 1 : -1;
      guests += 1;
      const person = madeUpPerson(clock, face, isLit ? honestFrame : unlitFrame);
      deps.faces.analyse = person.analyse;
      const started = await initialize(deps, await service.caller('sk_test'), {});
      const sessionId = started.session_id ?? '';
      if (kioskId !== undefined) {
        const atKiosk = {
          sessionId,
          kioskId,
          eventId: null,
          origin: 'scan',
          startedAt: clock.now(),
        } as const;
        await deps.db.tx((tx) => saveKioskRun(tx, atKiosk));
      }
      const { flow_token: flowToken } = await openSession(deps, sessionId, { device }, null);
      await giveConsent(deps, await sessionOf(service, sessionId), { accepted: true });
      const target = { baseUrl, sessionId, flowToken };
      const page = await connectPage(target);
      page.say(helloOf(target));
      const { last } = await followRequests(page, person);
      page.drop();
      return last?.type === 'verdict' ? last.snapshot.state : last;
    },
  };
}

describe('a face without the light goes to a reviewer', () => {
  test('where 20 captures are known and at most one of them lacked it', async () => {
    const { check, seed } = await openVenue();
    await seed(FRONT, 19);
    expect(await check({ device: 'kiosk', kioskId: 'front', isLit: false })).toBe('settled');
    expect(await check({ device: 'kiosk', kioskId: 'front', isLit: false })).toBe('in_review');
    expect(await check({ device: 'kiosk', kioskId: 'front', isLit: false })).toBe('settled');
  });

  test('at that kiosk only', async () => {
    const { check, seed } = await openVenue();
    await seed(FRONT, 40);
    expect(await check({ device: 'kiosk', kioskId: 'back', isLit: false })).toBe('settled');
    expect(await check({ device: 'mobile', kioskId: 'front', isLit: false })).toBe('settled');
    expect(await check({ device: 'kiosk', kioskId: 'front', isLit: false })).toBe('in_review');
  });

  test.each<Guest>([
    { device: 'mobile' },
    { device: 'desktop' },
    { device: 'kiosk' },
    { device: 'mobile', kioskId: 'front' },
  ])('on any device of the verification that is no paired kiosk: %o', async (guest) => {
    const { check, seed, elsewhere } = await openVenue();
    await seed(elsewhere, 40);
    expect(await check({ ...guest, isLit: false })).toBe('in_review');
  });

  test('of no other verification, nor of the other partition', async () => {
    const { check, seed, service, elsewhere } = await openVenue();
    await seed({ kind: 'verification', id: await service.verification('other') }, 40);
    await seed(elsewhere, 40, service.scope('live'));
    expect(await check({ device: 'mobile', isLit: false })).toBe('settled');
  });

  test('until three lacked it', async () => {
    const { check, seed, elsewhere } = await openVenue();
    await seed(elsewhere, 40);
    const states: unknown[] = [];
    for (let guest = 0; guest < 4; guest += 1) states.push(await check({ device: 'mobile', isLit: false }));
    expect(states).toEqual(['in_review', 'in_review', 'in_review', 'settled']);
  });
});

describe('what is known of a place', () => {
  test.each([
    [0, 0, false],
    [19, 0, false],
    [20, 0, true],
    [38, 2, true],
    [37, 3, false],
  ])('is told to staff: %i lit captures and then %i others', async (lit, unlit, isUsual) => {
    const { seed, service } = await openVenue();
    const { db } = service.deps;
    await seed(FRONT, lit);
    for (let nth = 0; nth < unlit; nth += 1)
      await db.tx((tx) => addLight(tx, service.scope('test'), FRONT, false));
    const told = { seen: lit, known: lit + unlit, needed: 20, is_usual: isUsual };
    expect(await readPageLight(db, service.scope('test'), 'front')).toEqual(told);
    expect(await readPageLight(db, service.scope('live'), 'front')).toMatchObject({ known: 0 });
  });

  test('counts the captures that passed, those for a reviewer too, and none without frames', async () => {
    const { check, seed, recent, service, elsewhere } = await openVenue();
    await seed(FRONT, 20);
    await check({ device: 'kiosk', kioskId: 'front', isLit: false });
    await check({ device: 'kiosk', kioskId: 'front' });
    expect(await recent(FRONT)).toBe(`10${'1'.repeat(20)}`);
    await run(service, 'a test face');
    expect(await recent(elsewhere)).toBe('');
  });

  test('ends with the kiosk', async () => {
    const { seed, recent, service } = await openVenue();
    const { company_id: companyId } = service.company;
    await seed(FRONT, 20);
    await service.deps.db.tx((tx) => revokeKiosk(tx, companyId, 'front', service.clock.now()));
    expect(await recent(FRONT)).toBe('');
  });

  test('counts each of several captures that settle at the same time, and sends three of them to a reviewer', async () => {
    const { service, seed, recent, elsewhere } = await openVenue();
    const { deps } = service;
    await seed(elsewhere, 40);
    const states = await Promise.all(
      Array.from({ length: 6 }, async (_, guest) => {
        const face = new Float32Array(8);
        face[guest] = 1;
        const session = await startRun(service);
        const { nonce, judge } = await honestCapture(deps, session, face);
        const doubted = async () => ({ ...(await judge()), doubt: 'light' as const });
        return (await settleCapture(deps, session, nonce, doubted)).state;
      }),
    );
    expect(states.toSorted()).toEqual([
      ...Array<string>(3).fill('in_review'),
      ...Array<string>(3).fill('settled'),
    ]);
    expect(await recent(elsewhere)).toBe(`${'0'.repeat(6)}${'1'.repeat(34)}`);
  });
});

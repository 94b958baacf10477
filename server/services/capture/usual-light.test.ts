/** A kiosk that usually sees the page's light on faces sends a face without it to a reviewer. */
import { expect, onTestFinished, test } from 'vitest';
import { connectLive, followLive, helloOf } from '../../../testing/camera/capture/live-client.ts';
import { honestFrame, madeUpPerson } from '../../../testing/service/live-people.ts';
import { serveFlow } from '../../../testing/service/live-venue.ts';
import { kiosk as kioskRow } from '../../../testing/store/rows.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { HOUR_MS } from '../../../testing/service/settling.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import type { LiveRequest } from '../../contract/capture-live.ts';
import { madeUpFrame } from '../../domain/capture/liveness.fixture.ts';
import { saveKioskRun } from '../../store/venue/kiosk-runs.ts';
import { insertKiosk } from '../../store/venue/kiosks.ts';
import { giveConsent, openSession } from '../runs/flow.ts';
import { initialize } from '../runs/initialize.ts';

const unlitFrame = (request: LiveRequest, place: number) =>
  request.tint ? madeUpFrame() : honestFrame(request, place);

/** A venue with two kiosks. */
async function openVenue() {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const { clock } = service;
  const deps = { ...service.deps, faces: { ...service.deps.faces } };
  const baseUrl = await serveFlow(deps);
  await deps.db.tx(async (tx) => {
    for (const [nth, id] of ['front', 'back'].entries()) {
      const paired = { codeHash: Buffer.alloc(32, nth), at: clock.now() };
      await insertKiosk(tx, kioskRow(service.company.company_id, id, paired));
    }
  });
  let guests = 0;
  /** @returns the state in which the next guest's run ends, if its device is the kiosk or a phone that took over */
  const check = async (kioskId: string, isLit: boolean, device: 'kiosk' | 'mobile' = 'kiosk') => {
    // A face without the light belongs to nobody who was here before.
    const face = new Float32Array(8);
    face[guests % face.length] = isLit ? 1 : -1;
    guests += 1;
    const person = madeUpPerson(clock, face, isLit ? honestFrame : unlitFrame);
    deps.faces.analyse = person.analyse;
    const started = await initialize(deps, await service.caller('sk_test'), {});
    const sessionId = started.session_id ?? '';
    const run = { sessionId, kioskId, eventId: null, origin: 'scan', startedAt: clock.now() } as const;
    await deps.db.tx((tx) => saveKioskRun(tx, run));
    const { flow_token: flowToken } = await openSession(deps, sessionId, { device }, null);
    await giveConsent(deps, await sessionOf(service, sessionId), { accepted: true });
    const target = { baseUrl, sessionId, flowToken };
    const page = await connectLive(target);
    page.say(helloOf(target));
    const { last } = await followLive(page, person);
    page.drop();
    return last?.type === 'verdict' ? last.snapshot.state : last;
  };
  return { clock, check };
}

test('where the last 20 faces reflected the page’s light, one without it goes to a reviewer: at that kiosk, for an hour', async () => {
  const { clock, check } = await openVenue();
  expect(await check('front', false)).toBe('settled');
  for (let guest = 0; guest < 19; guest += 1) expect(await check('front', true)).toBe('settled');
  expect(await check('back', true)).toBe('settled');
  expect(await check('front', true, 'mobile')).toBe('settled');
  expect(await check('front', true)).toBe('settled');
  expect(await check('front', false)).toBe('in_review');
  clock.advance(HOUR_MS);
  expect(await check('front', false)).toBe('settled');
});

test('fewer than 20 at a kiosk say nothing, and a guest without the light ends what is known', async () => {
  const { check } = await openVenue();
  for (let guest = 0; guest < 19; guest += 1) await check('front', true);
  expect(await check('front', false)).toBe('settled');
  expect(await check('front', true)).toBe('settled');
  expect(await check('front', false)).toBe('settled');
});

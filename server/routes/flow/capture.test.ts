/** The capture over its transports, as a page uses it: a real listener, store and settlement, synthetic faces. */
import { get } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerMessage } from '../../contract/capture.ts';
import type { FaceEngine } from '../../face/engine.ts';
import { rememberFrames } from '../../services/matching/replay.ts';
import { decline } from '../../services/runs/flow.ts';
import { findDefaultVerification, updateVerification } from '../../store/companies/verifications.ts';
import {
  connectPage,
  followRequests,
  helloOf,
  type Carrier,
  type WirePage,
  type FlowTarget,
} from '../../../testing/camera/capture/exchange-client.ts';
import { honestFrame, madeUpPerson } from '../../../testing/service/made-up-people.ts';
import { openFlowServer, serveFlow } from '../../../testing/service/flow-server.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';

const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);

/** A venue whose engine recognises synthetic faces. */
async function openVenue(show = honestFrame) {
  const service = await openTestService();
  const person = madeUpPerson(service.clock, FACE, show);
  return { ...(await openFlowServer(service, { analyse: person.analyse })), person };
}

async function begun(target: FlowTarget, carrier: Carrier = 'socket'): Promise<WirePage> {
  const page = await connectPage(target, carrier);
  onTestFinished(() => page.drop());
  page.say(helloOf(target));
  return page;
}

test.each<Carrier>(['socket', 'posts'])(
  'a person passes over %s, and the run is settled',
  async (carrier) => {
    const { service, target, person } = await openVenue();
    const { last } = await followRequests(await begun(target, carrier), person);
    expect(last).toMatchObject({
      type: 'verdict',
      snapshot: { state: 'settled', result: { verified: true } },
    });
    expect(await sessionOf(service, target.sessionId)).toMatchObject({
      state: 'settled',
      checkingUntil: null,
    });
  },
);

test('a pass that is still in doubt after five steps goes to a reviewer', async () => {
  const { target, person } = await openVenue((request, place) => ({
    ...honestFrame(request, place),
    genuineScore: 0.15,
  }));
  const { heard, last } = await followRequests(await begun(target), person);
  expect(heard.filter(isStep)).toHaveLength(5);
  expect(last).toMatchObject({ type: 'verdict', snapshot: { state: 'in_review' } });
});

test.each(['every still', 'resting stills'])(
  'pictures of an earlier capture that were encoded again settle nothing: %s',
  async (replayed) => {
    const service = await openTestService();
    const person = madeUpPerson(service.clock, FACE);
    const analyse: FaceEngine['analyse'] = async (stills, signal, purpose) => {
      const frames = await person.analyse(stills, signal, purpose);
      if (purpose === 'step' && replayed === 'resting stills') return frames;
      await service.deps.db.tx((tx) => rememberFrames(tx, frames, service.clock.now()));
      return frames.map((frame) => ({ ...frame, sha256: `f${frame.sha256.slice(1)}` }));
    };
    const { target } = await openFlowServer(service, { analyse });
    expect((await followRequests(await begun(target), person)).last).toMatchObject({
      type: 'verdict',
      snapshot: { state: 'open', attempts_left: 2, findings: ['try_again'] },
    });
  },
);

const isStep = (message: ServerMessage) => message.type === 'request' && message.ask === 'step';
const welcomeOf = (heard: readonly ServerMessage[]) =>
  heard.flatMap((message) => (message.type === 'welcome' ? message : []))[0];

test('the first message authenticates the device, and a page of another site cannot open a socket', async () => {
  const { target } = await openVenue();
  const refusals = await Promise.all(
    [
      { ...target, flowToken: 'ft_of_somebody_else' },
      { ...target, sessionId: 'none' },
    ].map(async (wrong) => (await begun(wrong)).hear()),
  );
  expect(refusals).toMatchObject([{ code: 'invalid_flow_token' }, { code: 'not found' }]);
  const unnamed = await connectPage(target);
  unnamed.say({ type: 'poll' });
  expect(await unnamed.hear()).toMatchObject({ type: 'error', code: 'hello_required', fatal: true });
  const status = await new Promise((resolve) => {
    const url = `${target.baseUrl}/flow/sessions/${target.sessionId}/capture`;
    const headers = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      origin: 'https://elsewhere.example',
    };
    get(url, { headers }, ({ statusCode }) => resolve(statusCode));
  });
  expect(status).toBe(403);
});

test('a dropped connection resumes with the frames that arrived', async () => {
  const { target, person } = await openVenue();
  const first = await begun(target);
  const { heard } = await followRequests(first, person, isStep);
  const welcome = welcomeOf(heard);
  first.drop();
  const second = await connectPage(target);
  onTestFinished(() => second.drop());
  second.say(helloOf(target, { resume_key: welcome?.resume_key ?? '' }));
  const { heard: after, last } = await followRequests(second, person);
  expect(after[0]).toMatchObject({ type: 'welcome', resumed: true, next_seq: 4 });
  expect(after.filter((message) => message.type === 'request' && message.ask !== 'step')).toEqual([]);
  expect(last).toMatchObject({ type: 'verdict', snapshot: { state: 'settled' } });
});

test('a second page takes over the capture: the first is told, and only the second settles', async () => {
  const { service, target, person } = await openVenue();
  const first = await begun(target);
  await followRequests(first, person, isStep);
  const second = await begun(target);
  expect((await followRequests(first, person)).last).toEqual({ type: 'again', reason: 'taken_over' });
  expect((await followRequests(second, person)).last).toMatchObject({ type: 'verdict' });
  const passes = await service.deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM passes');
  expect(passes?.n).toBe(1);
});

test('of two servers on one database, the capture that began last settles the session', async () => {
  const { service, target, person, deps } = await openVenue();
  const first = await begun(target);
  await first.hear();
  const pages = [first, await begun({ ...target, baseUrl: await serveFlow(deps) })];
  const outcomes = await Promise.all(pages.map((page) => followRequests(page, person)));
  expect(outcomes.map(({ last }) => last)).toMatchObject([
    { type: 'again', reason: 'taken_over' },
    { type: 'verdict', snapshot: { state: 'settled' } },
  ]);
  const passes = await service.deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM passes');
  expect(passes?.n).toBe(1);
});

test('a server that does not know the capture restarts it, and no attempt is counted', async () => {
  const { target, person, deps } = await openVenue();
  const first = await begun(target);
  const { heard } = await followRequests(first, person, isStep);
  const restarted = { ...target, baseUrl: await serveFlow(deps) };
  const page = await connectPage(restarted);
  onTestFinished(() => page.drop());
  page.say(helloOf(target, { resume_key: welcomeOf(heard)?.resume_key ?? '' }));
  const { heard: after, last } = await followRequests(page, person);
  expect(after[0]).toMatchObject({ type: 'welcome', resumed: false, next_seq: 0 });
  expect(last).toMatchObject({ type: 'verdict', snapshot: { state: 'settled', attempts_left: 3 } });
});

test('declining the run ends its capture', async () => {
  const { service, target, person, deps } = await openVenue();
  const page = await begun(target);
  await followRequests(page, person, isStep);
  await decline(deps, await sessionOf(service, target.sessionId));
  expect((await followRequests(page, person)).last).toMatchObject({ type: 'error', code: 'session_settled' });
});

test('a page that leaves while its capture settles does not remove pictures from the review', async () => {
  const service = await openTestService();
  const person = madeUpPerson(service.clock, FACE);
  const venue = await openFlowServer(service, { analyse: person.analyse });
  let held: Promise<unknown> = Promise.resolve();
  const db = new Proxy(service.deps.db, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target);
      if (name !== 'one' || typeof found !== 'function') return found;
      return async (...query: unknown[]) => {
        await held;
        return (found as (...query: unknown[]) => unknown).apply(target, query);
      };
    },
  });
  const target = { ...venue.target, baseUrl: await serveFlow({ ...venue.deps, db }) };
  const verification = await findDefaultVerification(service.deps.db, service.company.company_id);
  await service.deps.db.tx((tx) =>
    updateVerification(tx, { ...verification!, config: { capture: { trust: 'review_untrusted' } } }),
  );
  const page = await begun(target);
  const isSecondStep = (message: ServerMessage) =>
    message.type === 'request' && message.ask === 'step' && message.steps_done === 1;
  const { heard, last: step } = await followRequests(page, person, isSecondStep);
  if (step?.type !== 'request') throw new Error('No second step was asked for.');
  const asked = heard.map((message) => (message.type === 'request' ? message.stills : 0));
  const nextSeq = asked.reduce((sum, stills) => sum + stills, -step.stills);
  await person.react(step);
  const gate = Promise.withResolvers<undefined>();
  page.still({ request: step.id, seq: nextSeq }, await person.show(step, 0));
  held = gate.promise;
  page.still({ request: step.id, seq: nextSeq + 1 }, await person.show(step, 1));
  const awaited = new Set([nextSeq, nextSeq + 1]);
  while (awaited.size > 0) {
    const message = await page.hear();
    if (message?.type === 'judged') awaited.delete(message.seq);
  }
  page.say({ type: 'leave' });
  while ((await page.hear()) !== null);
  gate.resolve(undefined);
  await expect.poll(async () => (await sessionOf(service, target.sessionId)).state).toBe('in_review');
  const pictures = await service.deps.db.all<{ jpeg: Uint8Array }>('SELECT jpeg FROM case_frames');
  expect(pictures.length).toBeGreaterThan(0);
  for (const { jpeg } of pictures) expect(jpeg.length).toBeGreaterThan(0);
});

test('a flood of invalid messages ends the capture', async () => {
  const { target } = await openVenue();
  const page = await begun(target);
  await page.hear();
  for (let n = 0; n < 8; n += 1) page.still({ request: 9_999_999, seq: n }, Buffer.from('?'));
  const heard: (ServerMessage | null)[] = [];
  for (let message = await page.hear(); message !== null; message = await page.hear()) heard.push(message);
  expect(heard.at(-1)).toEqual({ type: 'error', code: 'message_invalid', fatal: true });
});

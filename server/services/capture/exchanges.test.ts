/** Concurrent captures of one process, on the store, without a network. */
import { expect, onTestFinished, test } from 'vitest';
import type { ServerMessage } from '../../contract/capture.ts';
import { helloOf } from '../../../testing/camera/capture/exchange-client.ts';
import { madeUpPerson } from '../../../testing/service/made-up-people.ts';
import { openConsentedSession } from '../../../testing/service/flow-server.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { recordFailedAttempt } from '../../store/runs/session-checks.ts';
import { ADMISSION_ROOM, type AdmissionRoom } from './admission.ts';
import { createExchanges, type Exchanges } from './exchanges.ts';

const STILL_BYTES = 400_000;

async function openCaptures(room: Partial<AdmissionRoom>) {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const person = madeUpPerson(service.clock, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0));
  const deps = { ...service.deps, faces: { ...service.deps.faces, analyse: person.analyse } };
  /** Those of one process. */
  const openNode = () => {
    const opened = createExchanges(deps, (error) => expect.unreachable(String(error)), {
      ...ADMISSION_ROOM,
      ...room,
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  const first = openNode();
  const begin = async (
    session: Awaited<ReturnType<typeof openConsentedSession>>,
    { address = '192.0.2.1', captures = first }: { address?: string; captures?: Exchanges } = {},
  ) => {
    const heard: ServerMessage[] = [];
    const carrier = { send: (message: ServerMessage) => void heard.push(message), close: () => undefined };
    const hello = helloOf({ baseUrl: '', ...session });
    if (hello.type !== 'hello') throw new Error('A capture begins with hello.');
    const capture = await captures.open({ ...session, hello, address, carrier });
    const show = async (): Promise<Buffer> => {
      const request = heard.findLast((message) => message.type === 'request');
      if (request?.type !== 'request') throw new Error('Nothing was asked for.');
      await person.react(request);
      const still = Buffer.from(await person.show(request, 0));
      return Buffer.concat([still, Buffer.alloc(STILL_BYTES - still.length, ' ')]);
    };
    return { capture, heard, show, person };
  };
  return { service, captures: first, openNode, begin, session: () => openConsentedSession(service) };
}

test('captures that begin at the same time count each other', async () => {
  const { captures, begin, session } = await openCaptures({ perAddress: 2 });
  const sessions = [await session(), await session(), await session(), await session()];
  const begun = await Promise.all(sessions.map((one) => begin(one)));
  expect(begun.filter(({ capture }) => capture !== null)).toHaveLength(2);
  const refused = begun.find(({ capture }) => capture === null);
  expect(refused?.heard).toMatchObject([{ code: 'too_many_captures', fatal: true, retry_in_ms: 5_000 }]);
  for (const { capture } of begun) capture?.abandon();
  expect(captures.stats()).toEqual({ captures: 0, heldBytes: 0 });
  expect((await begin(await session())).capture).not.toBeNull();
});

test('a still waits until there is room for it', async () => {
  const { captures, begin, session } = await openCaptures({ heldBytes: 700_000, addressShare: 1 });
  const [first, second] = [await begin(await session()), await begin(await session())];
  first.capture?.takeStill({ request: 1, seq: 0 }, await first.show());
  await expect.poll(() => first.heard).toContainEqual({ type: 'judged', seq: 0, usable: true, hints: [] });
  const still = await second.show();
  second.capture?.takeStill({ request: 1, seq: 0 }, still);
  expect(second.heard.at(-1)).toEqual({ type: 'wait', seq: 0, retry_in_ms: 1_000 });
  expect(captures.stats().heldBytes).toBe(STILL_BYTES);
  first.capture?.abandon();
  second.capture?.takeStill({ request: 1, seq: 0 }, still);
  await expect.poll(() => second.heard).toContainEqual({ type: 'judged', seq: 0, usable: true, hints: [] });
});

type Begun = Awaited<ReturnType<Awaited<ReturnType<typeof openCaptures>>['begin']>>;

const stepsIn = (heard: readonly ServerMessage[]) =>
  heard.flatMap((message) => (message.type === 'request' ? (message.step ?? []) : []));

/** Answers until so many steps were asked for, or to the end. */
async function answer({ capture, heard, person }: Begun, steps = Infinity) {
  const answered = new Set<number>();
  let seq = 0;
  const isOver = () =>
    heard.some(({ type }) => type === 'verdict' || type === 'again') || stepsIn(heard).length >= steps;
  while (!isOver()) {
    const asked = heard.findLast((message) => message.type === 'request');
    if (asked?.type === 'request' && !answered.has(asked.id)) {
      answered.add(asked.id);
      await person.react(asked);
      for (let place = 0; place < asked.stills; place += 1) {
        capture?.takeStill({ request: asked.id, seq }, Buffer.from(await person.show(asked, place)));
        seq += 1;
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return stepsIn(heard);
}

test('a drawn step stays with the session until a verdict, in each capture, on each node and device', async () => {
  const { begin, session, openNode } = await openCaptures({});
  const started = await session();
  const seen: string[][] = [];
  const node = openNode();
  for (const captures of [undefined, undefined, node, node, undefined]) {
    const begun = await begin(started, { ...(captures && { captures }), address: `192.0.2.${seen.length}` });
    seen.push(await answer(begun, 2));
    begun.capture?.abandon();
  }
  expect(new Set(seen.map((steps) => steps.join(' ')))).toEqual(new Set([seen[0]?.join(' ')]));
  expect(seen[0]).toHaveLength(2);
});

test('after a verdict that allows another attempt, the order is drawn again', async () => {
  const { service, begin, session } = await openCaptures({});
  const started = await session();
  const orderOf = async () =>
    (
      await service.deps.db.one<{ stepOrder: string | null }>(
        'SELECT step_order AS "stepOrder" FROM sessions WHERE id = ?',
        started.sessionId,
      )
    )?.stepOrder;
  const left = await begin(started);
  await answer(left, 1);
  left.capture?.abandon();
  expect((await orderOf())?.split(' ')).toHaveLength(7);
  await service.deps.db.tx((tx) =>
    recordFailedAttempt(tx, service.scope('test'), started.sessionId, ['try_again']),
  );
  expect(await orderOf()).toBeNull();
});

test('the second capture of a session that takes too long after a step costs an attempt, on every node', async () => {
  const { service, begin, session, openNode } = await openCaptures({});
  const started = await session();
  const left = async (): Promise<number> => (await sessionOf(service, started.sessionId)).attemptsLeft;
  const linger = async (begun: Begun) => {
    await answer(begun, 1);
    service.clock.advance(120_001);
    begun.capture?.takeFault('message_invalid');
    await expect.poll(() => begun.heard.at(-1)?.type).toMatch(/again|verdict/);
    return begun.heard.at(-1);
  };
  const attempts = await left();
  expect(await linger(await begin(started))).toEqual({ type: 'again', reason: 'too_slow' });
  expect(await left()).toBe(attempts);
  const second = await linger(await begin(started, { captures: openNode() }));
  expect(second).toMatchObject({ type: 'verdict', snapshot: { state: 'open', findings: ['step_missed'] } });
  expect(await left()).toBe(attempts - 1);
  expect(await linger(await begin(started))).toEqual({ type: 'again', reason: 'too_slow' });
});

test('leaving after a step counts by address, over all sessions', async () => {
  const { begin, session } = await openCaptures({ givenUpShared: 3 });
  for (let left = 0; left < 3; left += 1) {
    const begun = await begin(await session());
    await answer(begun, 1);
    begun.capture?.abandon();
  }
  const late = await session();
  expect((await begin(late)).heard).toMatchObject([
    { type: 'error', code: 'too_many_captures', retry_in_ms: 15_000 },
  ]);
  expect((await begin(late, { address: '198.51.100.1' })).capture).not.toBeNull();
});

/** Concurrent captures of one process, on the store, without a network. */
import { expect, onTestFinished, test } from 'vitest';
import type { ServerMessage } from '../../contract/capture-live.ts';
import { helloOf } from '../../../testing/camera/capture/live-client.ts';
import { madeUpPerson } from '../../../testing/service/live-people.ts';
import { openLiveSession } from '../../../testing/service/live-venue.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { ADMISSION_LIMITS, type AdmissionLimits } from './admission.ts';
import { createLiveCaptures } from './live-captures.ts';

const STILL_BYTES = 400_000;

async function openCaptures(limits: Partial<AdmissionLimits>) {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const person = madeUpPerson(service.clock, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0));
  const deps = { ...service.deps, faces: { ...service.deps.faces, analyse: person.analyse } };
  const captures = createLiveCaptures(deps, (error) => expect.unreachable(String(error)), {
    ...ADMISSION_LIMITS,
    ...limits,
  });
  onTestFinished(() => captures.close());
  const begin = async (session: Awaited<ReturnType<typeof openLiveSession>>) => {
    const heard: ServerMessage[] = [];
    const carrier = { send: (message: ServerMessage) => void heard.push(message), close: () => undefined };
    const hello = helloOf({ baseUrl: '', ...session });
    if (hello.type !== 'hello') throw new Error('A capture begins with hello.');
    const capture = await captures.open({ ...session, hello, address: '192.0.2.1', carrier });
    const show = async (): Promise<Buffer> => {
      const request = heard.findLast((message) => message.type === 'request');
      if (request?.type !== 'request') throw new Error('Nothing was asked for.');
      await person.react(request);
      const still = Buffer.from(await person.show(request, 0));
      return Buffer.concat([still, Buffer.alloc(STILL_BYTES - still.length, ' ')]);
    };
    return { capture, heard, show };
  };
  return { captures, begin, session: () => openLiveSession(service) };
}

test('captures that begin at the same time count each other', async () => {
  const { captures, begin, session } = await openCaptures({ perAddress: 2 });
  const sessions = [await session(), await session(), await session(), await session()];
  const begun = await Promise.all(sessions.map(begin));
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

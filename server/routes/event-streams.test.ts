/** Event streams are few for each holder, bounded in all, share their reads, and leave nothing behind. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openConsentedSession } from '../../testing/service/flow-server.ts';
import { openTestService, type TestService } from '../../testing/service/temp-service.ts';
import { closeGracefully } from '../http/listen.ts';
import { createFastify } from '../http/public-app.ts';
import type { ServiceDeps } from './deps.ts';
import { createStreamPlaces, openEventStream, STREAM_LIMITS } from './event-streams.ts';
import { flowRoutes } from './flow/index.ts';
import { kioskRoutes } from './kiosk/index.ts';

async function listening(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeGracefully([app]));
  return (app.server.address() as AddressInfo).port;
}

type Opened = { socket: Socket; heard: () => string };

function openStream(port: number, path: string, headers = ''): Opened {
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
  return { socket, heard: () => heard };
}

const until = (holds: () => boolean) => expect.poll(holds).toBe(true);

/** The reading side of a store whose reads wait until they are released. */
function heldBack(deps: ServiceDeps) {
  let gate: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let reads = 0;
  const db = new Proxy(deps.db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'one') return value.bind(target) as unknown;
      return async (...args: unknown[]) => {
        waiting += 1;
        reads += 1;
        await gate;
        waiting -= 1;
        return value.apply(target, args) as unknown;
      };
    },
  });
  return {
    deps: { ...deps, db },
    waiting: () => waiting,
    reads: () => reads,
    hold() {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      gate = promise;
      return () => resolve(undefined);
    },
  };
}

async function flowApp(service: TestService) {
  const store = heldBack(service.deps);
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(flowRoutes, { deps: store.deps });
  await app.register(kioskRoutes, { deps: store.deps });
  const port = await listening(app);
  const { sessionId, flowToken } = await openConsentedSession(service);
  const open = (token = flowToken) =>
    openStream(port, `/flow/sessions/${sessionId}/events`, `X-Flow-Token: ${token}\r\n`);
  return { app, port, store, open, sessionId, followers: () => service.deps.events.followers() };
}

const snapshots = ({ heard }: Opened): number => heard().split('event: snapshot').length - 1;

describe('a client who leaves while the route awaits', () => {
  test('leaves no stream of a check behind', async () => {
    const { app, store, open, followers } = await flowApp(await openTestService());
    const letGo = store.hold();
    const { socket } = open();
    await until(() => store.waiting() === 1);
    expect(app.streamPlaces.open()).toBe(1);
    socket.destroy();
    await until(() => app.streamPlaces.open() === 0);
    letGo();
    await until(() => store.waiting() === 0);
    await sleep(20);
    expect([app.streamPlaces.open(), followers()]).toEqual([0, 0]);
  });

  test('leaves no stream of a kiosk behind', async () => {
    const { app, port, store } = await flowApp(await openTestService());
    const letGo = store.hold();
    const { socket } = openStream(port, '/kiosk/events', 'X-Kiosk-Token: kt_1\r\n');
    await until(() => store.waiting() === 1);
    socket.destroy();
    await until(() => app.streamPlaces.open() === 0);
    letGo();
    await sleep(20);
    const before = store.reads();
    await sleep(1_200);
    expect(store.reads()).toBe(before);
  });

  test('leaves nothing behind if it left before the route began', async () => {
    const app = createFastify(pino({ level: 'silent' }), 0);
    const isGone = Promise.withResolvers<boolean>();
    const { promise: gate, resolve: letGo } = Promise.withResolvers<undefined>();
    const arrived = Promise.withResolvers<net.Socket>();
    const onRequest = ({ raw }: FastifyRequest) => {
      arrived.resolve(raw.socket);
      return gate;
    };
    app.get('/events', { onRequest }, async (request, reply) => {
      const stream = openEventStream(request, reply, { holder: 'a', whenFull: 'refused' });
      isGone.resolve(stream.signal.aborted);
      let ended = 0;
      stream.onEnd(() => (ended += 1));
      stream.begin();
      stream.write('x');
      return ended;
    });
    const port = await listening(app);
    const { socket } = openStream(port, '/events');
    const served = await arrived.promise;
    const closed = once(served, 'close');
    socket.destroy();
    await closed;
    letGo(undefined);
    expect([await isGone.promise, app.streamPlaces.open()]).toEqual([true, 0]);
  });
});

test('a refused stream gives its place back', async () => {
  const { app, port, sessionId, open } = await flowApp(await openTestService());
  const refused = [
    open('nobody'),
    openStream(port, `/flow/sessions/${sessionId}/events`),
    openStream(port, '/flow/sessions/vs_0/events', 'X-Flow-Token: x\r\n'),
    openStream(port, '/kiosk/events', 'X-Kiosk-Token: kt_1\r\n'),
  ];
  await until(() => refused.every(({ heard }) => / (401|404) /.test(heard())));
  await until(() => app.streamPlaces.open() === 0);
});

test('one token has a few streams: the oldest gives way to a page that reloads', async () => {
  const { app, open } = await flowApp(await openTestService());
  const streams: Opened[] = [];
  for (let n = 0; n < STREAM_LIMITS.ofHolder + 2; n += 1) {
    const stream = open();
    streams.push(stream);
    await until(() => snapshots(stream) === 1);
  }
  await until(() => streams.slice(0, 2).every(({ heard }) => heard().endsWith('0\r\n\r\n')));
  expect(app.streamPlaces.open()).toBe(STREAM_LIMITS.ofHolder);
  expect(streams.slice(2).every(({ socket }) => !socket.closed)).toBe(true);
});

test('streams of one check share a read, and changes meanwhile cause one more', async () => {
  const service = await openTestService();
  const { store, open, sessionId, followers } = await flowApp(service);
  const streams = Array.from({ length: 4 }, () => open());
  await until(() => streams.every((stream) => snapshots(stream) === 1));
  expect(followers()).toBe(1);
  const touch = () =>
    service.deps.db.tx((tx) => {
      tx.afterCommit('session', sessionId);
      return Promise.resolve();
    });
  await sleep(50);
  const quiet = store.reads();
  await touch();
  await until(() => store.reads() > quiet);
  await until(() => store.waiting() === 0);
  await sleep(50);
  const alone = store.reads() - quiet;
  const letGo = store.hold();
  await touch();
  await until(() => store.waiting() > 0);
  for (let n = 0; n < 50; n += 1) await touch();
  letGo();
  await sleep(200);
  expect(store.reads() - quiet - alone).toBeLessThanOrEqual(2 * alone);
  for (const { socket } of streams) socket.destroy();
  await until(() => followers() === 0);
});

describe('bounds', () => {
  const end = () => undefined;
  const of = (holder: string, address: string) => ({ holder, address, whenFull: 'refused' as const });

  test('of an address 429, of all together 503; each stream that ends makes room', () => {
    const places = createStreamPlaces({ ofHolder: 2, ofAddress: 3, altogether: 4 });
    const free = places.take(of('a', '1'), () => undefined);
    places.take(of('a', '1'), () => undefined);
    expect(() => places.take(of('a', '1'), end)).toThrow(
      expect.objectContaining({ code: 'too_many_streams' }),
    );
    places.take(of('b', '1'), end);
    expect(() => places.take(of('c', '1'), end)).toThrow(
      expect.objectContaining({ code: 'too_many_streams' }),
    );
    places.take(of('c', '2'), end);
    expect(() => places.take(of('d', '3'), end)).toThrow(expect.objectContaining({ code: 'streams_busy' }));
    free();
    free();
    expect(places.open()).toBe(3);
    places.take(of('a', '3'), end);
  });

  test('an app says 429 with Retry-After, and a reader that stops reading is cut off', async () => {
    const app = createFastify(pino({ level: 'silent' }), 0);
    app.get('/events', async (request, reply) => {
      const stream = openEventStream(request, reply, { holder: 'a', whenFull: 'refused' });
      stream.begin();
      const writing = setInterval(() => stream.write(`data: ${'x'.repeat(50_000)}\n\n`), 1);
      stream.onEnd(() => clearInterval(writing));
    });
    const port = await listening(app);
    const streams = Array.from({ length: STREAM_LIMITS.ofHolder }, () => openStream(port, '/events'));
    await until(() => app.streamPlaces.open() === STREAM_LIMITS.ofHolder);
    const refused = openStream(port, '/events');
    await until(() => refused.heard().includes('too_many_streams'));
    expect(refused.heard()).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 10\r\n/);
    for (const { socket } of streams) socket.pause();
    await until(() => app.streamPlaces.open() === 0);
  });
});

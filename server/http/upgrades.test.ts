/** Decisions §3.20: an `Upgrade` that is not the capture's WebSocket is ignored, on every listener. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { issueCertificate, newAuthority } from '../services/network/authority.ts';
import { closeGracefully } from './listen.ts';
import { openPlain, openTls } from './lan-server.ts';
import { createFastify } from './public-app.ts';

const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';

function createApp() {
  const app = createFastify(pino({ level: 'silent' }), 0);
  app.route({
    method: ['GET', 'POST'],
    url: '/*',
    handler: ({ method, url, body, headers }) => ({
      call: `${method} ${url}`,
      body,
      offer: headers.upgrade,
      connection: headers.connection,
    }),
  });
  app.get('/late', async () => {
    await sleep(50);
    return { call: 'GET /late' };
  });
  return app;
}

const portOf = ({ server }: FastifyInstance): number => (server.address() as AddressInfo).port;

/** Connects to the listener of each kind: the service's own, network mode's with TLS, and the trust page's. */
const LISTENERS: Record<string, () => Promise<() => Socket>> = {
  async plain() {
    const app = createApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => closeGracefully([app]));
    return () => net.connect(portOf(app), '127.0.0.1');
  },
  async 'over TLS'() {
    const app = createApp();
    await app.ready();
    const nowMs = Date.now();
    const subjects = { names: ['localhost'], addresses: ['127.0.0.1'] };
    const certificate = await issueCertificate(await newAuthority('test', nowMs), subjects, nowMs);
    const server = await openTls(app, 0, certificate);
    onTestFinished(() => server.close());
    return () => tls.connect({ port: server.port, rejectUnauthorized: false });
  },
  async 'trust page'() {
    const app = createApp();
    await app.ready();
    const server = await openPlain(app, 0);
    onTestFinished(() => server.close());
    return () => net.connect(server.port, '127.0.0.1');
  },
};

type Answer = { call: string; body?: unknown; offer?: string; connection?: string };

/** Sends each part once the one before is answered, and reads `count` answers. */
async function exchange(socket: Socket, parts: readonly string[], count: number): Promise<Answer[]> {
  onTestFinished(() => void socket.destroy());
  let heard = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => (heard += text));
  const answers = () => [...heard.matchAll(/^\{.*\}/gm)].map(([json]) => JSON.parse(json) as Answer);
  for (const [at, part] of parts.entries()) {
    socket.write(part);
    const due = at < parts.length - 1 ? at + 1 : count;
    while (answers().length < due && !socket.closed) await sleep(5);
  }
  return answers();
}

const request = (line: string, headers: string, body = '') =>
  `${line} HTTP/1.1\r\nHost: venue.example\r\n${headers}${body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`}\r\n${body}`;
const chunked = (line: string, headers: string, body: string) =>
  `${line} HTTP/1.1\r\nHost: venue.example\r\n${headers}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const NEXT = request('GET /next', '');

describe.each(Object.keys(LISTENERS))('%s', (kind) => {
  test.each([
    ['h2c, as curl offers it', H2C],
    ['in mixed case', 'connection: upgrade\r\nUPGRADE: H2C\r\n'],
    ['several values', 'Connection: Upgrade\r\nUpgrade: h2c, websocket\r\n'],
    ['TLS', 'Connection: Upgrade\r\nUpgrade: TLS/1.0, HTTP/1.1\r\n'],
    [
      'a WebSocket elsewhere',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n',
    ],
  ])('%s: the call is answered, and so is the next on the connection', async (_what, offer) => {
    const connect = await LISTENERS[kind]!();
    expect(await exchange(connect(), [request('POST /call', offer, '{"a":1}'), NEXT], 2)).toEqual([
      { call: 'POST /call', body: { a: 1 } },
      { call: 'GET /next' },
    ]);
    expect(await exchange(connect(), [request('GET /call', offer), NEXT], 2)).toEqual([
      { call: 'GET /call' },
      { call: 'GET /next' },
    ]);
  });

  test('sent in one go with the next calls, in chunks and after a slow answer: all are answered in order', async () => {
    const connect = await LISTENERS[kind]!();
    const all = [
      request('GET /late', ''),
      chunked('POST /chunks', H2C, '{"a":1}'),
      NEXT,
      request('POST /whole', H2C, '{"b":2}'),
      request('GET /late', H2C),
      NEXT,
    ];
    const answers = await exchange(connect(), [all.join('')], all.length);
    expect(answers.map(({ call }) => call)).toEqual([
      'GET /late',
      'POST /chunks',
      'GET /next',
      'POST /whole',
      'GET /late',
      'GET /next',
    ]);
  });

  test('a hundred calls that each offer it share one connection, and leave nothing behind on it', async () => {
    const connect = await LISTENERS[kind]!();
    const socket = connect();
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    const calls = Array.from({ length: 100 }, (_, n) => request(`POST /${n}`, H2C, `{"n":${n}}`));
    const answers = await exchange(socket, [calls.join('')], 100);
    expect(answers.map(({ body }) => body)).toEqual(calls.map((_, n) => ({ n })));
    expect(warnings).toEqual([]);
  });

  test('what else the connection header says stays', async () => {
    const connect = await LISTENERS[kind]!();
    const socket = connect();
    const closed = once(socket, 'close');
    const [answer] = await exchange(
      socket,
      [request('GET /call', 'Connection: close, Upgrade\r\nUpgrade: h2c\r\n')],
      1,
    );
    expect(answer).toEqual({ call: 'GET /call', connection: 'close' });
    await closed;
  });
});

test('a caller who leaves while an earlier call is answered ends the connection', async () => {
  const connect = await LISTENERS['plain']!();
  const socket = connect();
  socket.write(request('GET /late', '') + request('GET /late', H2C));
  await once(socket, 'connect');
  socket.destroy();
  await sleep(100);
  expect(await exchange(connect(), [NEXT], 1)).toEqual([{ call: 'GET /next' }]);
});

test('the end of the server does not wait for a connection whose offer was ignored', async () => {
  const app = createApp();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = net.connect(portOf(app), '127.0.0.1');
  const closed = once(socket, 'close');
  await exchange(socket, [request('POST /call', H2C, '{"a":1}')], 1);
  const before = Date.now();
  await closeGracefully([app]);
  await closed;
  expect(Date.now() - before).toBeLessThan(1_000);
});

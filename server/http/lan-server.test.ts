/** What the listener of network mode adds to the application. */
import { once } from 'node:events';
import https from 'node:https';
import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { issueCertificate, newAuthority } from '../services/network/authority.ts';
import { openTls } from './lan-server.ts';
import { createFastify } from './public-app.ts';

async function openedTls(app: FastifyInstance) {
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const nowMs = Date.now();
  const subjects = { names: ['localhost'], addresses: ['127.0.0.1'] };
  const certificate = await issueCertificate(await newAuthority('test', nowMs), subjects, nowMs);
  return openTls(app, 0, certificate, { believesProxies: false });
}

test('replies over TLS say that the venue’s name has TLS only, also errors; localhost and addresses do not', async () => {
  const app = createFastify(pino({ level: 'silent' }), 0);
  const server = await openedTls(app);
  onTestFinished(() => server.close());
  const policyOf = async (host: string) => {
    const options = { rejectUnauthorized: false, agent: false as const, headers: { host } };
    const request = https.get(`https://127.0.0.1:${server.port}/nothing`, options);
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    reply.resume();
    return [reply.statusCode, reply.headers['strict-transport-security']];
  };
  expect(await policyOf(`venue.local:${server.port}`)).toEqual([404, 'max-age=31536000']);
  expect(await policyOf('localhost')).toEqual([404, undefined]);
  expect(await policyOf('192.168.1.7')).toEqual([404, undefined]);
  expect((await app.inject('/nothing')).headers['strict-transport-security']).toBeUndefined();
});

test('a WebSocket opens over TLS, and its caller cannot forge an address', async () => {
  const app = createFastify(pino({ level: 'silent' }), 1);
  await app.register(websocket, { options: { server: app.captureUpgrades } });
  app.get('/flow/sessions/:id/capture', { websocket: true }, (socket, { ip, protocol }) =>
    socket.send(`${ip} ${protocol}`),
  );
  const server = await openedTls(app);
  const socket = new WebSocket(`wss://127.0.0.1:${server.port}/flow/sessions/vs_1/capture`, {
    rejectUnauthorized: false,
    headers: { 'x-forwarded-for': '203.0.113.9' },
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const heard = await new Promise((resolve, reject) => {
    socket.once('message', (data: Buffer) => resolve(data.toString()));
    socket.once('error', reject);
  });
  expect(heard).toMatch(/^(::ffff:)?127\.0\.0\.1 https$/);
  await server.close();
  await closed;
});

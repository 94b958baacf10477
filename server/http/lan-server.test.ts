/** WebSockets through the listener of network mode. */
import websocket from '@fastify/websocket';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { issueCertificate, newAuthority } from '../services/network/authority.ts';
import { openTls } from './lan-server.ts';
import { createFastify } from './public-app.ts';

test('a WebSocket opens over TLS, and its caller cannot forge an address', async () => {
  const app = createFastify(pino({ level: 'silent' }), 1);
  await app.register(websocket, { options: { server: app.captureUpgrades } });
  app.get('/flow/sessions/:id/capture', { websocket: true }, (socket, { ip, protocol }) =>
    socket.send(`${ip} ${protocol}`),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const nowMs = Date.now();
  const subjects = { names: ['localhost'], addresses: ['127.0.0.1'] };
  const certificate = await issueCertificate(await newAuthority('test', nowMs), subjects, nowMs);
  const server = await openTls(app, 0, certificate, { believesProxies: false });
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

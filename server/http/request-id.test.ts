/** Every reply names its request, and the log repeats the name. */
import net from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { serverConfig } from '../config.ts';
import { createPublicApp } from './public-app.ts';

const ID = /^req_[0-9a-f]{32}$/;

async function openApp() {
  const service = await openTestService();
  const log: Record<string, unknown>[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
  const config = serverConfig({ dataDir: tempDir() }, {});
  const app = await createPublicApp({ deps: service.deps, logger: pino({}, { write }), ...config });
  onTestFinished(() => app.close());
  return { ...service, app, log };
}

test('every reply has a Request-Id of its own: results, refusals, unknown paths, bad addresses, pages', async () => {
  const { app, company } = await openApp();
  const authorization = `Bearer ${company.keys.sk_test}`;
  const calls = [
    { method: 'POST', url: '/v3/initialize', headers: { authorization }, payload: {} },
    { method: 'POST', url: '/v3/initialize', payload: {} },
    { method: 'POST', url: '/v3/initialize', headers: { authorization }, payload: 'x' },
    { method: 'OPTIONS', url: '/v3/initialize' },
    { method: 'GET', url: '/v3/initialize', headers: { authorization } },
    { method: 'GET', url: '/v3/nothing' },
    { method: 'GET', url: '/v3/confirmations/%ff', headers: { authorization } },
    { method: 'POST', url: '/v2/verification/create', payload: {} },
    { method: 'POST', url: '/v1/business_connect_user/register', payload: {} },
    { method: 'GET', url: '/v1/%ff' },
    { method: 'GET', url: '/nothing' },
    { method: 'GET', url: '/readyz' },
    { method: 'GET', url: '/openapi.json' },
    { method: 'POST', url: '/flow/sessions/none/open', payload: { device: 'mobile' } },
  ] as const;
  const ids: unknown[] = [];
  for (const call of calls) {
    const { headers } = await app.inject(call);
    expect([call.url, headers['request-id']]).toEqual([call.url, expect.stringMatching(ID)]);
    ids.push(headers['request-id']);
  }
  expect(new Set(ids).size).toBe(calls.length);
});

test('what is no HTTP gets one, too, and a caller cannot choose it', async () => {
  const { app } = await openApp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as net.AddressInfo;
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
  });
  expect(answer).toMatch(/\r\nRequest-Id: req_[0-9a-f]{32}\r\n/);
  const reply = await app.inject({ url: '/readyz', headers: { 'request-id': 'req_mine' } });
  expect(reply.headers['request-id']).toMatch(ID);
});

test('a line of the log names the request that it is about, as the reply does', async () => {
  const { app, company, deps, log } = await openApp();
  deps.clock.now = () => {
    throw new Error('broken');
  };
  const headers = { authorization: `Bearer ${company.keys.sk_test}` };
  const reply = await app.inject({ method: 'POST', url: '/v3/initialize', headers, payload: {} });
  expect(reply.statusCode).toBe(500);
  expect(log.find(({ msg }) => msg === 'request failed')?.['request_id']).toBe(reply.headers['request-id']);
});

test('a refused call is in the log under its Request-Id, with its operation and key but without what was sent', async () => {
  const { app, company, log } = await openApp();
  const headers = { authorization: `Bearer ${company.keys.sk_test}` };
  const payload = { email: 'zoe@shop.example', phone: '+12105550123' };
  const reply = await app.inject({ method: 'POST', url: '/v3/initialize', headers, payload });
  expect(reply.statusCode).toBe(400);
  const line = log.find(({ request_id: id }) => id === reply.headers['request-id']);
  expect(line).toMatchObject({ msg: 'call refused', operation: 'initialize', status: 400 });
  expect(line?.['key_id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.stringify(log)).not.toMatch(/zoe@|555|sk_test/);
  await app.inject({ method: 'POST', url: '/v3/initialize', headers, payload: {} });
  expect(log).toHaveLength(1);
});

test('a page on another origin may send an Idempotency-Key, and may read Request-Id', async () => {
  const { app } = await openApp();
  const asked = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
  const preflight = await app.inject({ method: 'OPTIONS', url: '/v3/initialize', headers: asked });
  expect(preflight.headers['access-control-allow-headers']).toContain('idempotency-key');
  const reply = await app.inject({ method: 'POST', url: '/v3/initialize', headers: asked, payload: {} });
  expect(reply.headers['access-control-expose-headers']).toContain('request-id');
});

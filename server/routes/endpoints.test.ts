/** Decisions §3.20: unknown paths, other methods, encoded bodies, in the shape of each generation. */
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testInstallation } from '../../testing/service/installation.ts';
import { openTestService } from '../../testing/service/temp-service.ts';
import { createFastify } from '../http/public-app.ts';
import { replyWithConsoleError } from '../refusals/console.ts';
import { consoleApi } from './console/index.ts';
import { flowRoutes } from './flow/index.ts';
import { kioskRoutes } from './kiosk/index.ts';
import { v1Routes } from './v1/index.ts';
import { v2Routes } from './v2/index.ts';
import { v3Routes } from './v3/index.ts';

async function open() {
  const { deps, company } = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(v3Routes, { deps });
  await app.register(v2Routes, { deps, prefix: '/v2' });
  await app.register(v1Routes, { deps, prefix: '/v1' });
  await app.register(flowRoutes, { deps });
  await app.register(kioskRoutes, { deps });
  onTestFinished(() => app.close());
  return { app, deps, company, secret: { authorization: `Bearer ${company.keys.sk_test}` } };
}

test.each([
  ['GET', '/v3/initialize', 'OPTIONS, POST'],
  ['OPTIONS', '/v3/confirmations', 'POST'],
  ['DELETE', '/v3/confirmations/vyt_1', 'GET, HEAD'],
  ['PUT', '/v3/verifications/', 'GET, HEAD'],
  ['PROPFIND', '/v3/keys/test?x=1', 'OPTIONS, POST'],
  ['POST', '/flow/sessions/vs_1', 'GET, HEAD'],
  ['POST', '/flow/sessions/vs_1/capture', 'GET'],
  ['HEAD', '/flow/sessions/vs_1/events', 'GET'],
  ['HEAD', '/kiosk/events', 'GET'],
] as const)('%s %s: 405 method_not_allowed with Allow, and no body is read', async (method, url, allow) => {
  const { app } = await open();
  const payload = ['HEAD', 'OPTIONS'].includes(method) ? undefined : 'not JSON';
  const reply = await app.inject({ method: method as 'GET', url, ...(payload && { payload }) });
  expect([reply.statusCode, reply.headers['allow']]).toEqual([405, allow]);
  if (method !== 'HEAD') expect(reply.json()).toEqual({ detail: 'method_not_allowed' });
});

test.each(['/v3/nothing', '/v3', '/flow/sessions', '/nothing', '/v3/confirmations/a/b'])(
  'an unknown path, %s: 404 no_such_endpoint, and no body is read',
  async (url) => {
    const { app, secret } = await open();
    for (const method of ['GET', 'POST'] as const) {
      const reply = await app.inject({
        method,
        url,
        headers: secret,
        ...(method === 'POST' && { payload: '{' }),
      });
      expect([reply.statusCode, reply.json()]).toEqual([404, { detail: 'no_such_endpoint' }]);
    }
  },
);

describe.each([
  ['/v1/business_connect_user/register', '/v1/nothing'],
  ['/v2/verification/create', '/v2/nothing'],
])('%s', (known, unknown) => {
  test('another method is 405 with Allow, an unknown path 404, each with the body of the generation', async () => {
    const { app, company } = await open();
    const headers = { 'api-key': company.keys.ak_test };
    const other = await app.inject({ method: 'GET', url: known, headers });
    expect([other.statusCode, other.headers['allow']]).toEqual([405, 'POST']);
    expect(other.json()).toMatchObject({ status: 'failure', failure_code: 'INVALID_REQUEST' });
    const none = await app.inject({ method: 'POST', url: unknown, headers, payload: '{' });
    expect(none.statusCode).toBe(404);
    expect(none.json()).toMatchObject({ status: 'failure', failure_code: 'DOES_NOT_EXIST' });
  });

  test('an encoded body is 415', async () => {
    const { app, company } = await open();
    const headers = { 'api-key': company.keys.ak_test, 'content-encoding': 'gzip' };
    const reply = await app.inject({ method: 'POST', url: known, headers, payload: gzipSync('{}') });
    expect([reply.statusCode, reply.headers['accept-encoding']]).toEqual([415, 'identity']);
    expect(reply.json()).toMatchObject({ status: 'failure', failure_code: 'INVALID_REQUEST' });
  });
});

test('the console answers other methods with Allow, too', async () => {
  const { deps, clock } = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0, replyWithConsoleError);
  await app.register(consoleApi, { deps: { ...deps, ...testInstallation(deps.db, clock) } });
  onTestFinished(() => app.close());
  const reply = await app.inject({ method: 'PUT', url: '/console/api/sign-in' });
  expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'POST']);
  expect(reply.json()).toMatchObject({ error: 'method_not_allowed' });
  const unknown = await app.inject({ method: 'POST', url: '/console/api/nothing' });
  expect([unknown.statusCode, unknown.json<{ error: string }>().error]).toEqual([404, 'not_found']);
});

test.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'identity, gzip', 'unknown'])(
  'a body with Content-Encoding %s is 415, after the key is checked',
  async (encoding) => {
    const { app, secret } = await open();
    const call = { method: 'POST', url: '/v3/initialize', payload: gzipSync('{}') } as const;
    const headers = { 'content-encoding': encoding, 'content-type': 'application/json' };
    const refused = await app.inject({ ...call, headers: { ...headers, ...secret } });
    expect([refused.statusCode, refused.json()]).toEqual([415, { detail: 'unsupported_media_type' }]);
    expect(refused.headers['accept-encoding']).toBe('identity');
    expect((await app.inject({ ...call, headers })).statusCode).toBe(401);
  },
);

test('a plain body may say that it is plain, and a call without a body anything', async () => {
  const { app, secret } = await open();
  for (const encoding of ['identity', 'Identity', '']) {
    const headers = { ...secret, 'content-encoding': encoding };
    const reply = await app.inject({ method: 'POST', url: '/v3/initialize', headers, payload: {} });
    expect(reply.statusCode).toBe(200);
  }
  const headers = { ...secret, 'content-encoding': 'gzip' };
  expect((await app.inject({ url: '/v3/verifications', headers })).statusCode).toBe(200);
  const tested = { method: 'POST', url: '/v3/keys/test', headers, payload: gzipSync('{}') } as const;
  expect((await app.inject(tested)).json()).toMatchObject({ valid: true });
});

test('every 401 of v3 carries WWW-Authenticate: Bearer, and those of other tokens do not', async () => {
  const { app, secret } = await open();
  const calls = [
    { method: 'POST', url: '/v3/initialize', payload: {} },
    { url: '/v3/verifications', headers: { authorization: 'Bearer sk_test_none' } },
    { url: '/v3/confirmations/vyt_broken', headers: secret },
    { url: '/v3/confirmations/%ff', headers: secret },
  ] as const;
  for (const call of calls) {
    const reply = await app.inject(call);
    expect([reply.statusCode, reply.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  }
  const kiosk = await app.inject({ url: '/kiosk/config' });
  expect([kiosk.statusCode, kiosk.headers['www-authenticate']]).toEqual([401, undefined]);
});

test('a preflight allows every header that is asked for, never with credentials', async () => {
  const { app } = await open();
  const asked = 'authorization,content-type,x-datadog-trace-id,traceparent,baggage';
  for (const url of ['/v3/initialize', '/v3/keys/test']) {
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    };
    const reply = await app.inject({ method: 'OPTIONS', url, headers });
    expect(reply.statusCode).toBe(204);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': asked,
      'access-control-allow-methods': 'POST',
    });
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
  }
});

test('decisions §3.17: every 503 and 429 says when to try again, on every listener', async () => {
  const app = createFastify(pino({ level: 'silent' }), 0);
  onTestFinished(() => app.close());
  app.get('/busy', (_request, reply) => reply.code(503).send({ detail: 'busy' }));
  app.get('/often', (_request, reply) =>
    reply.code(429).header('retry-after', '7').send({ detail: 'often' }),
  );
  expect((await app.inject('/busy')).headers['retry-after']).toBe('5');
  expect((await app.inject('/often')).headers['retry-after']).toBe('7');
});

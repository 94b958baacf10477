/** Decisions §1.3: maintenance, then authentication, then the body, on every listener of guests and kiosks. */
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { flow } from '../contract/routes/flow.ts';
import { kiosk } from '../contract/routes/kiosk.ts';
import { my } from '../contract/routes/my.ts';
import { scan } from '../contract/routes/scan.ts';
import { createFastify } from '../http/public-app.ts';
import { flowRoutes } from './flow/index.ts';
import { myRoutes } from './flow/my.ts';
import { kioskRoutes } from './kiosk/index.ts';
import { scanRoutes } from './scan/index.ts';
import { v1Routes } from './v1/index.ts';
import { v2Routes } from './v2/index.ts';
import { v3Routes } from './v3/index.ts';

async function open({ isMaintained = false } = {}) {
  const { deps, company } = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  const maintenance = isMaintained
    ? { retryAfterS: () => 60, follow: () => () => undefined, close: () => undefined }
    : deps.maintenance;
  const options = { deps: { ...deps, maintenance } };
  await app.register(v3Routes, options);
  await app.register(v2Routes, { ...options, prefix: '/v2' });
  await app.register(v1Routes, { ...options, prefix: '/v1' });
  await app.register(flowRoutes, options);
  await app.register(myRoutes, options);
  await app.register(kioskRoutes, options);
  await app.register(scanRoutes, options);
  onTestFinished(() => app.close());
  return { app, company };
}

/** They need no token, but the code or the link in their body or path. */
const OPENINGS = new Set<string>([
  flow.open.path,
  flow.openInvite.path,
  flow.openVerification.path,
  flow.openHandoff.path,
  flow.openContinuation.path,
  my.sendCode.path,
  my.open.path,
  kiosk.pair.path,
  scan.join.path,
]);

const calls = [
  ...Object.values(flow),
  ...Object.values(my),
  ...Object.values(kiosk),
  ...Object.values(scan),
].filter(({ method, path }) => method === 'POST' && !OPENINGS.has(path));

test('there are calls of all', () => {
  expect(new Set(calls.map(({ path }) => path.split('/')[1]))).toEqual(new Set(['flow', 'kiosk', 'scan']));
  expect(calls.length).toBeGreaterThan(15);
});

describe.each(calls.map(({ path }) => [path]))('POST %s', (path) => {
  test('the caller is authorised before the body is read', async () => {
    const { app, company } = await open();
    const authorization = `Bearer ${company.keys.sk_test}`;
    const made = await app.inject({
      method: 'POST',
      url: '/v3/initialize',
      headers: { authorization },
      payload: {},
    });
    const { session_id } = made.json<{ session_id: string }>();
    const url = path.replace(':session_id', session_id);
    for (const token of ['', 'wrong']) {
      const headers = {
        'content-type': 'application/json',
        ...(token !== '' && {
          'x-flow-token': token,
          'x-my-token': token,
          'x-kiosk-token': token,
          'x-shift-token': token,
        }),
      };
      const reply = await app.inject({ method: 'POST', url, headers, payload: '{"broken' });
      expect([token, reply.statusCode]).toEqual([token, 401]);
    }
  });
});

test.each(['/v1/nothing', '/v2/nothing', '/v3/nothing', '/v3', '/v3/confirmations/a/b', '/flow/nothing'])(
  'maintenance comes before an unknown path, %s, and another method',
  async (url) => {
    const { app } = await open({ isMaintained: true });
    for (const method of ['GET', 'POST', 'PUT'] as const) {
      const reply = await app.inject({ method, url });
      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '60']);
      expect(reply.json()).toMatchObject({ detail: 'SERVICE_TEMPORARILY_UNAVAILABLE', status: 'failure' });
    }
  },
);

test('maintenance comes before another method of a known path', async () => {
  const { app } = await open({ isMaintained: true });
  for (const url of ['/v3/initialize', '/v2/verification/create', '/flow/sessions/vs_1/consent']) {
    expect((await app.inject({ method: 'DELETE', url })).statusCode).toBe(503);
  }
});

test.each(['return_path', 'start_path'])(
  'decisions §3.20: white space around %s is refused',
  async (field) => {
    const { app, company } = await open();
    const headers = { authorization: `Bearer ${company.keys.sk_test}` };
    const send = (value: string) =>
      app.inject({
        method: 'POST',
        url: '/v3/initialize',
        headers,
        payload: { origin: 'shop.example', [field]: value },
      });
    for (const value of [
      ' /done',
      '/done ',
      '/done\n',
      '\t/done',
      '/done\u00a0',
      '\ufeff/done',
      '/done\0',
      ' ',
    ]) {
      const reply = await send(value);
      expect([value, reply.statusCode]).toEqual([value, 422]);
      expect(reply.json<{ detail: unknown[] }>().detail).toMatchObject([
        { type: 'string_pattern_mismatch', loc: ['body', field] },
      ]);
    }
    for (const value of ['', '/', 'x', '/a b', '/done?a=1#b', '/fin-é🎟']) {
      const { statusCode } = await send(value);
      expect([value, statusCode]).toEqual([value, 200]);
    }
  },
);

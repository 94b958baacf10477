/** Decisions §3.16: pages on any origin may start a run and test a key. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { createFastify } from '../http/public-app.ts';
import { v3Routes } from './v3/index.ts';

test('a page on another origin can read why it is refused during maintenance, and when to try again', async () => {
  const { deps } = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  const maintenance = { retryAfterS: () => 60, follow: () => () => undefined, close: () => undefined };
  await app.register(v3Routes, { deps: { ...deps, maintenance } });
  onTestFinished(() => app.close());
  for (const url of ['/v3/initialize', '/v3/keys/test']) {
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
    // A browser sends the call only after a preflight with a status of success.
    const preflight = await app.inject({ method: 'OPTIONS', url, headers });
    expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
    const refused = await app.inject({ method: 'POST', url, payload: {} });
    expect(refused.statusCode).toBe(503);
    expect(refused.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after, request-id, idempotent-replayed',
      'retry-after': '60',
    });
  }
});

/** Limits on all addresses together (docs/reference/limits.md). */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { createFastify } from '../http/public-app.ts';
import { kioskRoutes } from './kiosk/index.ts';
import { scanRoutes } from './scan/index.ts';
import { v2Routes } from './v2/index.ts';

test.each([
  { what: 'v2 calls without a key', url: '/v2/sandbox/phone-number', limit: 300, payload: {} },
  { what: 'kiosk pairings', url: '/kiosk/pair', limit: 120, payload: { code: 'AAAA-2222' } },
  {
    what: 'codes of the door team',
    url: '/scan/join',
    limit: 120,
    payload: { code: 'AAAA-2222', name: 'Sam' },
  },
])('$what have a limit for all addresses together, and leave no rows beyond it', async (of) => {
  const { deps } = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(v2Routes, { deps, prefix: '/v2' });
  await app.register(kioskRoutes, { deps });
  await app.register(scanRoutes, { deps });
  onTestFinished(() => app.close());
  const statuses: number[] = [];
  for (let n = 0; n < of.limit + 2; n += 1) {
    const remoteAddress = `10.0.${n >> 8}.${n & 255}`;
    const { url, payload } = of;
    statuses.push((await app.inject({ method: 'POST', url, payload, remoteAddress })).statusCode);
  }
  expect(statuses.indexOf(429)).toBe(of.limit);
  expect(statuses.slice(-2)).toEqual([429, 429]);
  // One row per address, and one for all of them.
  expect(await deps.db.one('SELECT count(*) AS n FROM rate_hits')).toEqual({ n: of.limit + 1 });
});

/** `/metrics` requires a token or a signed-in admin if the console is open beyond this machine. */
import https from 'node:https';
import { expect, test } from '@playwright/test';
import type { LanSettings } from '../../server/contract/console/settings.ts';
import { apiOf, signIn, enrol } from '../support/pages/console.ts';
import { send } from '../support/http.ts';
import { startGatehouse, type Gatehouse } from '../support/service/server.ts';
import { limitMs } from '../../testing/tier.ts';

let gatehouse: Gatehouse;
test.beforeEach(() => test.setTimeout(limitMs(30_000)));
test.afterEach(() => gatehouse.stop());

const metrics = ({ consoleUrl }: Gatehouse, headers: Record<string, string> = {}) =>
  send<string>(`${consoleUrl}/metrics`, { headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const makeToken = async () => (await gatehouse.cli<{ token: string }>(['metrics', 'token'])).token;

/** From this machine to a listener of network mode; its certificate does not matter here. */
function overTls(url: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    https
      .get(url, { headers, rejectUnauthorized: false, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
      .on('error', reject);
  });
}

test('a console that only this machine can reach shows them to it, and not through a proxy', async () => {
  gatehouse = await startGatehouse();
  const reply = await metrics(gatehouse);
  expect(reply.status).toBe(200);
  expect(reply.body).toContain('process_resident_memory_bytes');
  expect((await metrics(gatehouse, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(401);
});

test('a console on all addresses requires a valid token or an admin, even from this machine', async () => {
  gatehouse = await startGatehouse({ env: { GATEHOUSE_CONSOLE_HOST: '0.0.0.0' } });
  const refused = await metrics(gatehouse);
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer /);
  expect(refused.body).toContain('gatehouse metrics token');
  expect(refused.body).not.toContain('process_');

  const first = await makeToken();
  expect((await metrics(gatehouse, bearer(first))).status).toBe(200);
  for (const wrong of ['mt_x', `${first}x`, first.slice(0, -1), 'null', gatehouse.company.keys.sk_live]) {
    expect((await metrics(gatehouse, bearer(wrong))).status, wrong.slice(0, 4)).toBe(401);
  }
  const second = await makeToken();
  expect((await metrics(gatehouse, bearer(first))).status).toBe(401);
  expect((await metrics(gatehouse, bearer(second))).status).toBe(200);
  await gatehouse.cli(['metrics', 'revoke']);
  expect((await metrics(gatehouse, bearer(second))).status).toBe(401);

  const [admin, reviewer] = [await signIn(gatehouse, 'admin'), await signIn(gatehouse, 'reviewer')];
  // An open console requires a second factor of its admins first.
  expect((await metrics(gatehouse, { cookie: admin.cookie })).status).toBe(403);
  await enrol(admin);
  expect((await metrics(gatehouse, { cookie: admin.cookie })).status).toBe(200);
  expect((await metrics(gatehouse, { cookie: reviewer.cookie })).status).toBe(403);
  // Another page's request with the admin's cookie reads nothing.
  const foreign = { cookie: admin.cookie, 'sec-fetch-site': 'cross-site' };
  expect((await metrics(gatehouse, foreign)).status).toBe(403);
  // Over plain HTTP a browser sends the cookie only to the console's API.
  expect((await admin.api<string>('/metrics')).body).toContain('process_uptime_seconds');
  expect((await send(apiOf(gatehouse, '/metrics'))).status).toBe(401);
  expect(await gatehouse.cli(['audit', 'verify'])).toMatchObject({ intact: true });
});

test('a console that network mode opens requires it everywhere, until it is closed again', async () => {
  gatehouse = await startGatehouse();
  const admin = await signIn(gatehouse, 'admin');
  await enrol(admin);
  const change = (is_console_open: boolean) =>
    admin.ok<LanSettings>('/settings/lan', { method: 'PUT', body: { is_on: true, is_console_open } });
  const { console_origin: origin } = await change(true);
  const url = `https://127.0.0.1:${new URL(origin ?? '').port}/metrics`;
  expect([await overTls(url), (await metrics(gatehouse)).status]).toEqual([401, 401]);
  const token = await makeToken();
  expect([await overTls(url, bearer(token)), (await metrics(gatehouse, bearer(token))).status]).toEqual([
    200, 200,
  ]);
  await change(false);
  expect((await metrics(gatehouse)).status).toBe(200);
});

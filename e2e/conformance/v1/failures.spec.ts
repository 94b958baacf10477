/** Contract, "v2 and v1 body": every path of both generations fails in one shape; decisions §1.3, §3.17 and §4.1. */
import { expect } from '@playwright/test';
import { limitMs } from '../../../testing/tier.ts';
import { connect, CREATE, failure, GET_STATUS, REGISTER, STATUS } from '../connect.ts';
import { openVenue, test, type Venue } from '../support.ts';

// Maintenance affects the whole server, so it must not overlap with other files.
test.use({ settings: { GATEHOUSE_LOG_LEVEL: 'fatal' } });

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'v1 failures');
});
test.afterAll(async ({ gatehouse }) => {
  await gatehouse.cli(['maintenance', 'off']);
});

const PATHS = [REGISTER, GET_STATUS, CREATE, STATUS];

test('an unknown path: 404 DOES_NOT_EXIST; another method: 405 INVALID_REQUEST', async () => {
  for (const generation of ['/v1', '/v2'])
    for (const path of ['', '/', '/nothing', '/business_connect_user', '/a/b/c?d=e'])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
        expect([path, method, await failure(venue, generation + path, undefined, { method })]).toEqual([
          path,
          method,
          '404 DOES_NOT_EXIST',
        ]);
  for (const path of PATHS)
    expect(await failure(venue, path, undefined, { method: 'GET' })).toBe('405 INVALID_REQUEST');
});

test('an invalid address: 400 INVALID_REQUEST', async () => {
  for (const path of ['/v1/%zz', '/v2/%ff%', '/v2%'])
    if (/^\/v[12]\//.test(path)) expect(await failure(venue, path)).toBe('400 INVALID_REQUEST');
});

test('bodies that are not JSON, too deep, half surrogates, lists: 400 INVALID_REQUEST', async () => {
  const deep = `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`;
  for (const path of PATHS)
    for (const body of [
      '{',
      'text',
      '[]',
      '5',
      'true',
      '"x"',
      deep,
      '{"external_id":"\\ud800"}',
      '{"reference_user_id":"\\udc00"}',
    ])
      expect([path, body.slice(0, 30), await failure(venue, path, body)]).toEqual([
        path,
        body.slice(0, 30),
        '400 INVALID_REQUEST',
      ]);
});

test('JSON counts as JSON whatever the content type; a compressed body does not', async () => {
  const headers = (type: string) => ({ headers: { 'content-type': type } });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'])
    expect((await connect(venue, CREATE, '{"external_id":"typed"}', headers(type))).status).toBe(200);
});

test('a body that is too large: 413 in the same shape', async () => {
  const body = JSON.stringify({ external_id: 'x', padding: 'x'.repeat(100_000) });
  for (const path of PATHS) expect(await failure(venue, path, body)).toBe('413 INVALID_REQUEST');
});

test('§1.3: authentication comes before the schema', async () => {
  for (const path of [REGISTER, GET_STATUS])
    for (const key of [null, 'ak_test_x', venue.keys.sk_test])
      expect([path, key, await failure(venue, path, '{', { key })]).toEqual([
        path,
        key,
        '401 INVALID_API_KEY',
      ]);
});

test('v1 without a key is refused each time, and never limited', async () => {
  for (let call = 0; call < 8; call += 1)
    expect(await failure(venue, REGISTER, {}, { key: null })).toBe('401 INVALID_API_KEY');
});

test('intermediaries must not store responses, and no browser page may read them', async () => {
  for (const path of PATHS) {
    const { headers } = await connect(venue, path, {}, { headers: { origin: 'https://page.example' } });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('§2.4: last_used_at shows when the key was used', async () => {
  await expect
    .poll(
      async () =>
        (await venue.cli<{ kind: string; last_used_at: string | null }[]>('keys', 'list')).find(
          ({ kind }) => kind === 'ak_test',
        )?.last_used_at,
      { timeout: limitMs(17_500), intervals: [1_000] },
    )
    .toEqual(expect.any(String));
});

test('§3.17: "503 with Retry-After" on every path, known or not, key or none', async () => {
  const followed = { timeout: limitMs(10_000), intervals: [100] };
  const answered = async () => (await connect(venue, CREATE, {})).status;
  await venue.gatehouse.cli(['maintenance', 'on']);
  await expect.poll(answered, followed).toBe(503);
  const code = 'SERVICE_TEMPORARILY_UNAVAILABLE';
  for (const path of [...PATHS, '/v2/sandbox/phone-number', '/v1/nothing', '/v2/nothing'])
    for (const key of [venue.keys.ak_test, null]) {
      const { status, body, headers } = await connect(venue, path, '{', { key });
      expect([path, status, body]).toEqual([
        path,
        503,
        { detail: code, status: 'failure', failure_code: code, failure_reason: expect.any(String) },
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  await venue.gatehouse.cli(['maintenance', 'off']);
  await expect.poll(answered, followed).toBe(200);
});

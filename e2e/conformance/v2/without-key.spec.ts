/** Calls of v2 without a valid key: contract, "Authentication" v2 and "Limits"; decisions §1.3 and §4.6. */
import { expect } from '@playwright/test';
import type { SandboxPhoneResponse } from '../../../server/contract/v2.ts';
import { HOUR_MS, MINUTE_MS, testClock, type TestClock } from '../../support/service/clock.ts';
import { startGatehouse, type Gatehouse } from '../../support/service/server.ts';
import {
  broughtBack,
  connect,
  CREATE,
  create,
  failure,
  PHONE_NUMBER,
  STATUS,
  status,
  VERIFICATION_CODE,
  walk,
} from '../connect.ts';
import { fresh, openVenue, test, type Venue } from '../support.ts';

let clock: TestClock;
let gatehouse: Gatehouse;
let venue: Venue;
test.beforeAll(async () => {
  clock = await testClock();
  gatehouse = await startGatehouse({ env: { ...clock.env, GATEHOUSE_TRUSTED_HOPS: '1' } });
  venue = await openVenue(gatehouse, 'v2 without key');
});
test.afterAll(async () => {
  await gatehouse.stop();
  clock.remove();
});

let hosts = 0;
/** No key, from an unused address. */
const stranger = () => ({ key: null, headers: { 'x-forwarded-for': `203.0.113.${(hosts += 1)}` } });

test('"v2 sandbox endpoints work without a key"', async () => {
  const from = stranger();
  const { status: answered, body } = await connect<SandboxPhoneResponse>(
    venue,
    PHONE_NUMBER,
    undefined,
    from,
  );
  expect([answered, body.verification_code]).toEqual([200, body.phone_number.slice(-6)]);
  const code = await connect(venue, VERIFICATION_CODE, { phone_number: body.phone_number }, from);
  expect([code.status, code.body]).toEqual([200, { verification_code: body.verification_code }]);
});

test('"A missing or invalid key gives failure code INVALID_API_KEY"', async () => {
  for (const path of [CREATE, STATUS])
    expect(await failure(venue, path, {}, stranger())).toBe('401 INVALID_API_KEY');
  const { ak_test, sk_test, pk_test } = venue.keys;
  for (const key of ['x', 'ak_test_x', `${ak_test}0`, sk_test, pk_test, `Bearer ${ak_test}`])
    for (const path of [CREATE, PHONE_NUMBER])
      expect([key, await failure(venue, path, {}, { ...stranger(), key })]).toEqual([
        key,
        '401 INVALID_API_KEY',
      ]);
});

test('a key as a bearer token is not accepted', async () => {
  const { headers } = stranger();
  const bearer = { key: null, headers: { ...headers, authorization: `Bearer ${venue.keys.ak_test}` } };
  expect(await failure(venue, CREATE, {}, bearer)).toBe('401 INVALID_API_KEY');
});

test('"Unauthenticated v2 requests: 5 per minute"; then 429 with Retry-After, and a key still works', async () => {
  const from = stranger();
  for (let call = 0; call < 5; call += 1)
    expect((await connect(venue, PHONE_NUMBER, undefined, from)).status).toBe(200);
  const refused = await connect(venue, PHONE_NUMBER, undefined, from);
  expect([refused.status, refused.body.failure_code]).toEqual([429, 'RATE_LIMITED']);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  const withKey = { ...from, key: venue.keys.ak_test };
  expect((await connect(venue, PHONE_NUMBER, undefined, withKey)).status).toBe(200);
  expect((await connect(venue, PHONE_NUMBER, undefined, stranger())).status).toBe(200);
});

test('§4.6: "every v2 request without a valid key counts", including refused ones, wrong keys and unknown paths', async () => {
  const from = stranger();
  expect(await failure(venue, CREATE, {}, from)).toBe('401 INVALID_API_KEY');
  expect(await failure(venue, CREATE, {}, { ...from, key: 'ak_live_x' })).toBe('401 INVALID_API_KEY');
  expect(await failure(venue, '/v2/nothing', {}, from)).toBe('404 DOES_NOT_EXIST');
  expect(await failure(venue, PHONE_NUMBER, '{', from)).toBe('400 INVALID_REQUEST');
  expect(await failure(venue, STATUS, undefined, { ...from, method: 'GET' })).toBe('405 INVALID_REQUEST');
  // §1.3: the rate limit comes before authentication and schema.
  for (const path of [CREATE, PHONE_NUMBER, '/v2/nothing'])
    expect(await failure(venue, path, '{', from)).toBe('429 RATE_LIMITED');
});

test('§4.6: "it recovers as the window slides"', async () => {
  const from = stranger();
  const ask = async () => (await connect(venue, PHONE_NUMBER, undefined, from)).status;
  for (let call = 0; call < 4; call += 1) await ask();
  await clock.advance(MINUTE_MS / 2);
  expect([await ask(), await ask()]).toEqual([200, 429]);
  await clock.advance(MINUTE_MS / 2 + 1_000);
  expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([
    200, 200, 200, 200, 429,
  ]);
});

test('a caller cannot forge an address behind the trusted hop', async () => {
  const { headers } = stranger();
  const own = headers['x-forwarded-for'];
  const claim = (n: number) => ({ key: null, headers: { 'x-forwarded-for': `198.51.100.${n}, ${own}` } });
  for (let call = 0; call < 5; call += 1)
    expect((await connect(venue, PHONE_NUMBER, undefined, claim(call))).status).toBe(200);
  expect((await connect(venue, PHONE_NUMBER, undefined, claim(9))).status).toBe(429);
});

test('"expires 15 minutes after issue; the external id remains usable": 410 EXPIRED', async () => {
  const { external_id, verification_url: link } = await create(venue, { redirect: 'https://shop.example/' });
  const { run, snapshot } = await walk(venue, link, fresh('face'));
  const token = broughtBack(snapshot).get('vy_token');
  await clock.advance(14 * MINUTE_MS);
  expect((await status(venue, { token })).verification_complete).toBe(true);
  // Reading it again does not extend it.
  expect(broughtBack(await run.snapshot()).get('vy_token')).toBe(token);
  await clock.advance(MINUTE_MS);
  expect(await failure(venue, STATUS, { token })).toBe('410 EXPIRED');
  expect(await failure(venue, STATUS, { token, external_id })).toBe('410 EXPIRED');
  expect(await failure(venue, STATUS, { token, external_id: 'other' })).toBe('404 DOES_NOT_EXIST');
  expect((await status(venue, { external_id })).verification_complete).toBe(true);
  await clock.advance(HOUR_MS);
  expect((await status(venue, { external_id })).verification_complete).toBe(true);
});

/** Contract, v2 rule 6 and "Test number ranges": the sandbox with a key; decisions §4.6. */
import { expect } from '@playwright/test';
import type { SandboxCodeResponse, SandboxPhoneResponse } from '../../../server/contract/v2.ts';
import {
  connect,
  create,
  failure,
  openLink,
  PHONE_NUMBER,
  provePhone,
  VERIFICATION_CODE,
} from '../connect.ts';
import { openVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'v2 sandbox');
});

const draw = async (body?: unknown) => (await connect<SandboxPhoneResponse>(venue, PHONE_NUMBER, body)).body;

const GLOBAL = /^\+99901\d{7,12}$/;

test('6: "without area_code and type a global test number is returned"', async () => {
  for (const body of [
    undefined,
    {},
    { type: 'global' },
    { type: null, area_code: null },
    { type: 'global', area_code: '415' },
  ])
    expect((await draw(body)).phone_number).toMatch(GLOBAL);
});

test('US: "+1<area_code>555 followed by 01 and two more digits"; §4.6: without area_code 210', async () => {
  expect((await draw({ type: 'us' })).phone_number).toMatch(/^\+121055501\d\d$/);
  expect((await draw({ type: 'us', area_code: '415' })).phone_number).toMatch(/^\+141555501\d\d$/);
  expect((await draw({ area_code: '415' })).phone_number).toMatch(/^\+141555501\d\d$/);
});

test('area_code: "three digits"; type: us or global', async () => {
  for (const body of [
    { area_code: '41' },
    { area_code: '4155' },
    { area_code: 'abc' },
    { area_code: 415 },
    { type: 'de' },
    { type: 1 },
  ])
    expect([body, await failure(venue, PHONE_NUMBER, body)]).toEqual([body, '400 INVALID_REQUEST']);
});

test('6: "the verification code always equals the last 6 digits of the phone number"', async () => {
  for (const body of [{ type: 'us' }, {}]) {
    const { phone_number, verification_code } = await draw(body);
    expect(verification_code).toBe(phone_number.slice(-6));
    const asked = await connect<SandboxCodeResponse>(venue, VERIFICATION_CODE, { phone_number });
    expect([asked.status, asked.body]).toEqual([200, { verification_code }]);
  }
});

test('6: "only numbers in the test ranges are accepted; a real number gives HTTP 400"', async () => {
  for (const phone_number of [
    '+4915112345678',
    '+12105551234',
    '+12105550200',
    '+99901123456',
    '+999011234567890123',
    '',
    'x',
  ])
    expect([phone_number, await failure(venue, VERIFICATION_CODE, { phone_number })]).toEqual([
      phone_number,
      '400 INVALID_REQUEST',
    ]);
});

test('phone_number is required: 400 INVALID_API_ACCESS', async () => {
  for (const body of [undefined, {}, { phone_number: null }])
    expect(await failure(venue, VERIFICATION_CODE, body)).toBe('400 INVALID_API_ACCESS');
});

test('"Non-demo accounts calling sandbox endpoints get failure code DEMO_ACCOUNT_REQUIRED"', async () => {
  const production = { key: venue.keys.ak_live };
  expect(await failure(venue, PHONE_NUMBER, {}, production)).toBe('403 DEMO_ACCOUNT_REQUIRED');
  expect(await failure(venue, VERIFICATION_CODE, { phone_number: '+99901123456789' }, production)).toBe(
    '403 DEMO_ACCOUNT_REQUIRED',
  );
  // §1.3: the schema comes before the privilege of the key.
  expect(await failure(venue, PHONE_NUMBER, { type: 1 }, production)).toBe('400 INVALID_REQUEST');
});

test('a number of the sandbox passes the code step with its code', async () => {
  const run = await openLink(venue, (await create(venue)).verification_url);
  const { phone_number } = await draw({ type: 'us', area_code: '907' });
  expect((await provePhone(run, phone_number)).step).toBe('capture');
});

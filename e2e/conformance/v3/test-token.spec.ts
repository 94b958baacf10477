/** Contract, "v3: test token" and rule 6 of the confirmation endpoints; decisions §3.13. */
import { expect } from '@playwright/test';
import type { TestTokenResponse } from '../../../server/contract/v3.ts';
import { findingsOf, NOBODYS_UUID, openVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Test tokens');
});

const ask = <T = TestTokenResponse>(body: unknown, key?: string) =>
  venue.call<T>('/v3/test/confirmation-token', { body, ...(key !== undefined && { key }) });

test('6: "settles a real test pass in the test partition with the chosen verdict": approved by default', async () => {
  const { status, body } = await ask({});
  expect([status, Object.keys(body).sort(), body.verified]).toEqual([200, ['token', 'verified'], true]);
  expect((await venue.confirm(body.token)).body).toMatchObject({
    verified: true,
    status: 'approved',
    reasons: [],
    is_test: true,
    locked: false,
  });
});

test('6: denied, with the requested reasons; without any, manual_override', async () => {
  const { body } = await ask({ status: 'denied', reasons: ['collision', 'linked_denial'] });
  expect(body.verified).toBe(false);
  expect((await venue.confirm(body.token)).body).toMatchObject({
    verified: false,
    status: 'denied',
    reasons: ['collision', 'linked_denial'],
  });
  const bare = await ask({ status: 'denied' });
  expect((await venue.confirm(bare.body.token)).body.reasons).toEqual(['manual_override']);
});

test('6: approved with reasons is a pass with findings', async () => {
  const { body } = await ask({ reasons: ['collision_company'] });
  expect((await venue.confirm(body.token)).body).toMatchObject({
    verified: true,
    status: 'approved',
    reasons: ['collision_company'],
  });
});

test('"verified: what the exchange will report", even after a lock', async () => {
  const { body } = await ask({});
  await venue.lock(body.token);
  expect((await venue.confirm(body.token)).body).toMatchObject({ verified: false, locked: true });
});

test('6: "removed by the normal test-data cleanup"', async () => {
  const other = await openVenue(venue.gatehouse, 'To be cleared');
  const { body } = await ask({}, other.keys.sk_test);
  await other.cli('test-data', 'clear');
  expect(await other.confirm(body.token)).toMatchObject({ status: 404, body: { detail: 'not found' } });
});

test('6: "invisible to live keys"', async () => {
  const { body } = await ask({});
  expect(await venue.confirm(body.token, venue.keys.sk_live)).toMatchObject({ status: 404 });
});

test('verification_id: "Default: the company’s default verification"', async () => {
  const { verification_id } = await venue.verification({ 'external-id': 'bar' });
  const owner = async (request: object) =>
    (await venue.confirm((await ask(request)).body.token)).body.verification.external_id;
  expect(await owner({ verification_id })).toBe('bar');
  expect(await owner({})).toBeNull();
  expect(await ask({ verification_id: NOBODYS_UUID })).toMatchObject({
    status: 404,
    body: { detail: 'no_matching_verification' },
  });
});

test('"Unknown reasons are rejected", and named (decisions §3.13)', async () => {
  expect(await ask({ reasons: ['collision', 'bad_mood', 'toString'] })).toMatchObject({
    status: 400,
    body: { detail: 'unknown_reason', reasons: ['bad_mood', 'toString'] },
  });
});

test('"status: approved or denied"; "reasons: at most 20"', async () => {
  expect(findingsOf(await ask({ status: 'pending' }))).toEqual(['literal_error at body.status']);
  const reasons = (n: number) => Array.from({ length: n }, () => 'collision');
  expect((await ask({ reasons: reasons(20) })).status).toBe(200);
  expect(findingsOf(await ask({ reasons: reasons(21) }))).toEqual(['too_long at body.reasons']);
  expect(findingsOf(await ask({ status: 1, reasons: 'collision', verification_id: 'x' }))).toEqual([
    'literal_error at body.status',
    'list_type at body.reasons',
    'uuid_parsing at body.verification_id',
  ]);
  expect(findingsOf(await venue.call('/v3/test/confirmation-token', { method: 'POST' }))).toEqual([
    'missing at body',
  ]);
});

test('key: "test secret key (sk_test) only"', async () => {
  for (const key of [venue.keys.pk_test, venue.keys.pk_live, venue.keys.sk_live]) {
    expect(await ask({}, key)).toMatchObject({ status: 403, body: { detail: 'test_key_required' } });
  }
});

/** Contract, "Authentication", v3: the header, the kinds of key, and the table of operations. */
import { expect } from '@playwright/test';
import { fresh, NOBODYS_UUID, openVenue, test, type Venue } from '../support.ts';

let venue: Venue;
let vyt: string;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Authentication');
  vyt = (await venue.settle(fresh('face'))).vyt;
});

type Kind = 'pk_live' | 'pk_test' | 'sk_live' | 'sk_test';
const KINDS: Kind[] = ['pk_live', 'pk_test', 'sk_live', 'sk_test'];

type Operation = { name: string; path: () => string; method: 'GET' | 'POST'; body?: object; kinds: Kind[] };
const SECRET: Kind[] = ['sk_live', 'sk_test'];
const OPERATIONS: Operation[] = [
  { name: 'POST /v3/initialize', path: () => '/v3/initialize', method: 'POST', body: {}, kinds: KINDS },
  {
    name: 'GET /v3/confirmations/{token}',
    path: () => `/v3/confirmations/${vyt}`,
    method: 'GET',
    kinds: ['sk_test'],
  },
  {
    name: 'POST /v3/confirmations/{token}/lock',
    path: () => `/v3/confirmations/${vyt}/lock`,
    method: 'POST',
    kinds: ['sk_test'],
  },
  {
    name: 'POST /v3/confirmations',
    path: () => '/v3/confirmations',
    method: 'POST',
    body: { email: 'nobody@example.com' },
    kinds: SECRET,
  },
  { name: 'POST /v3/keys/test', path: () => '/v3/keys/test', method: 'POST', kinds: KINDS },
  {
    name: 'POST /v3/test/confirmation-token',
    path: () => '/v3/test/confirmation-token',
    method: 'POST',
    body: {},
    kinds: ['sk_test'],
  },
  {
    name: 'POST /v3/verifications/lookup',
    path: () => '/v3/verifications/lookup',
    method: 'POST',
    body: {},
    kinds: SECRET,
  },
  { name: 'GET /v3/verifications', path: () => '/v3/verifications', method: 'GET', kinds: SECRET },
];

/** The refusal of each for a key of a wrong kind, or of another partition. */
const REFUSALS = [401, 403, 404];

for (const { name, path, method, body, kinds } of OPERATIONS) {
  const call = (key: string | null, headers: Record<string, string> = {}) =>
    venue.call<{ detail?: string }>(path(), { method, key, headers, ...(body && { body }) });

  test.describe(name, () => {
    test(`key required: ${kinds.join(', ')}`, async () => {
      for (const kind of KINDS) {
        const { status, body: reply } = await call(venue.keys[kind]);
        const isAccepted = !REFUSALS.includes(status) || reply.detail === 'no_settled_pass';
        expect([kind, isAccepted]).toEqual([kind, kinds.includes(kind)]);
      }
    });

    if (name === 'POST /v3/keys/test') return;

    test('"Header Authorization: Bearer <API_KEY> on every call"', async () => {
      expect(await call(null)).toMatchObject({ status: 401, body: { detail: 'authentication_required' } });
      expect(await call(null, { 'api-key': venue.keys.sk_test })).toMatchObject({ status: 401 });
      expect(await call(null, { authorization: venue.keys.sk_test })).toMatchObject({ status: 401 });
    });

    test('unknown keys, and keys of v1 and v2, give no access', async () => {
      expect(await call(`sk_test_${'0'.repeat(32)}`)).toMatchObject({
        status: 401,
        body: { detail: 'invalid_or_revoked_key' },
      });
      expect(await call(venue.keys.ak_test)).toMatchObject({
        status: 401,
        body: { detail: 'invalid_key_type' },
      });
    });
  });
}

test('the key is checked before the body', async () => {
  const call = async (key: string | null) =>
    (await venue.call('/v3/initialize', { key, body: { external_id: 5 } })).status;
  expect([await call(null), await call(venue.keys.pk_live)]).toEqual([401, 422]);
});

test('the scheme’s name is case-insensitive', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${venue.keys.sk_test}` };
    expect((await venue.call('/v3/initialize', { key: null, body: {}, headers })).status).toBe(200);
  }
});

test('"Keys come in matched test/live pairs": a pair is one pk and one sk of one partition', async () => {
  const keys = await venue.cli<{ kind: string; pair_id: string }[]>('keys', 'list');
  const pairOf = (kind: string) => keys.find((key) => key.kind === kind)?.pair_id;
  expect(pairOf('pk_live')).toBe(pairOf('sk_live'));
  expect(pairOf('pk_test')).toBe(pairOf('sk_test'));
  expect(pairOf('pk_live')).not.toBe(pairOf('pk_test'));
});

test('"Test and live are separate partitions": a person known in one is unknown in the other', async () => {
  const email = `${fresh('person')}@example.com`;
  const external_id = fresh('account');
  await venue.settle(fresh('face'), { email, external_id });
  expect((await venue.initialize({ email }, venue.keys.sk_live)).status).toBe(200);
  expect((await venue.lookup({ email }, venue.keys.sk_live)).status).toBe(404);
  const { verification_id } = await venue.verification();
  expect((await venue.initialize({ external_id, verification_id }, venue.keys.sk_live)).status).toBe(200);
});

test('CORS: any origin for initialize and keys/test, without credentials; no other route (decisions §3.16)', async () => {
  const headers = { origin: 'https://venue.example' };
  for (const path of ['/v3/initialize', '/v3/keys/test']) {
    const preflight = await venue.call(path, { method: 'OPTIONS', key: null, headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
    for (const key of [venue.keys.pk_test, 'wrong']) {
      const reply = await venue.call(path, { body: {}, key, headers });
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
    }
  }
  for (const { path, method, body, name } of OPERATIONS) {
    if (['POST /v3/initialize', 'POST /v3/keys/test'].includes(name)) continue;
    const reply = await venue.call(path(), { method, headers, ...(body && { body }) });
    expect(reply.headers.has('access-control-allow-origin')).toBe(false);
  }
});

test('§3.20: an unknown path is told apart from a resource that is not found', async () => {
  for (const path of ['/v3', '/v3/nothing', `/v3/confirmations/${vyt}/unlock`, `/v4/${NOBODYS_UUID}`]) {
    expect(await venue.call(path)).toMatchObject({ status: 404, body: { detail: 'no_such_endpoint' } });
  }
});

/** Keys of v3: what each opens, the key test, browsers of other origins (contract, "Authentication"; decisions §3). */
import { expect, test } from '@playwright/test';
import type { NewCompany } from '../server/services/companies/companies.ts';
import { send } from './support/http.ts';
import { type Gatehouse, startGatehouse } from './support/server.ts';
import { newCompany } from './support/venue.ts';

const UNKNOWN_SECRET = '0'.repeat(32);

let gatehouse: Gatehouse;
let keys: NewCompany['keys'];
test.beforeAll(async () => {
  gatehouse = await startGatehouse();
  ({ keys } = gatehouse.company);
});
test.afterAll(async () => {
  await gatehouse.stop();
});

const url = (path: string) => gatehouse.baseUrl + path;
const keyTest = async (headers: Record<string, string> = {}) => {
  const { status, body } = await send(url('/v3/keys/test'), { method: 'POST', headers });
  return { status, body };
};
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

test.describe('POST /v3/keys/test', () => {
  for (const kind of ['pk_live', 'pk_test', 'sk_live', 'sk_test'] as const) {
    test(`knows a ${kind} key and its company`, async () => {
      expect(await keyTest(bearer(keys[kind]))).toEqual({
        status: 200,
        body: {
          valid: true,
          key_type: kind,
          is_test: kind.endsWith('test'),
          customer_id: gatehouse.company.company_id,
        },
      });
    });

    test(`tells the kind of an unknown ${kind} key`, async () => {
      expect(await keyTest(bearer(`${kind}_${UNKNOWN_SECRET}`))).toEqual({
        status: 200,
        body: { valid: false, key_type: kind, is_test: null, customer_id: null },
      });
    });
  }

  test('answers 200 whatever comes', async () => {
    const unknown = { valid: false, key_type: 'unknown', is_test: null, customer_id: null };
    for (const headers of [
      {},
      { authorization: 'Basic eDp5' },
      { authorization: 'Bearer' },
      bearer('nonsense'),
      bearer('sk_test_tooshort'),
      bearer(`sk_test_${'-'.repeat(32)}`),
      bearer(keys.ak_test),
    ]) {
      expect(await keyTest(headers)).toEqual({ status: 200, body: unknown });
    }
    const withBody = await send(url('/v3/keys/test'), { body: '{"not json' });
    expect(withBody.status).toBe(200);
  });
});

const OPERATIONS = [
  { method: 'POST', path: '/v3/initialize', body: {}, secretOnly: false },
  { method: 'GET', path: '/v3/confirmations/vyt_x', secretOnly: true },
  { method: 'POST', path: '/v3/confirmations/vyt_x/lock', secretOnly: true },
  { method: 'POST', path: '/v3/confirmations', body: { email: 'a@venue.example' }, secretOnly: true },
  { method: 'POST', path: '/v3/verifications/lookup', body: {}, secretOnly: true },
  { method: 'GET', path: '/v3/verifications', secretOnly: true },
] as const;

for (const { method, path, secretOnly, ...rest } of OPERATIONS) {
  test.describe(`${method} ${path}`, () => {
    const refusal = async (headers: Record<string, string>) => {
      const reply = await send(url(path), { method, headers, ...rest });
      return { status: reply.status, body: reply.body };
    };
    const refused = (detail: string) => ({ status: 401, body: { detail } });

    test('without a bearer token: authentication_required', async () => {
      expect(await refusal({})).toEqual(refused('authentication_required'));
      expect(await refusal({ authorization: 'Basic eDp5' })).toEqual(refused('authentication_required'));
      expect(await refusal({ 'api-key': keys.ak_test })).toEqual(refused('authentication_required'));
    });

    test('with a key of no known kind: invalid_key_type', async () => {
      for (const key of ['nonsense', keys.ak_live, `rk_live_${UNKNOWN_SECRET}`]) {
        expect(await refusal(bearer(key))).toEqual(refused('invalid_key_type'));
      }
    });

    test('with an unknown key: invalid_or_revoked_key', async () => {
      for (const kind of ['sk_live', 'sk_test']) {
        expect(await refusal(bearer(`${kind}_${UNKNOWN_SECRET}`))).toEqual(refused('invalid_or_revoked_key'));
      }
    });

    test(`with a publishable key: ${secretOnly ? 'invalid_key_type' : 'welcome'}`, async () => {
      for (const key of [keys.pk_live, keys.pk_test]) {
        const reply = await refusal(bearer(key));
        if (secretOnly) expect(reply).toEqual(refused('invalid_key_type'));
        else expect(reply.status).toBe(200);
      }
    });
  });
}

test('who calls is asked before what is sent', async () => {
  const misfit = { external_id: 5 };
  expect((await send(url('/v3/initialize'), { body: misfit })).status).toBe(401);
  expect((await send(url('/v3/initialize'), { key: keys.pk_live, body: misfit })).status).toBe(422);
});

test('a revoked key is refused at once on the running server, the rest of the company is not', async () => {
  const { company_id, keys: own } = await newCompany(gatehouse, 'Careless venue');
  const listed = await gatehouse.cli<{ key_id: string; pair_id: string; kind: string }[]>([
    ...['keys', 'list', '--company', company_id],
  ]);
  const revoke = (key: string) =>
    gatehouse.cli(['keys', 'revoke', '--company', company_id, '--key', key, '--reason', 'lost']);
  const initialize = async (key: string) => {
    const { status, body } = await send(url('/v3/initialize'), { key, body: {} });
    return status === 200 ? 200 : { status, body };
  };
  const refused = { status: 401, body: { detail: 'invalid_or_revoked_key' } };

  expect(await initialize(own.sk_live)).toBe(200);
  await revoke(listed.find(({ kind }) => kind === 'sk_live')!.key_id);
  expect(await initialize(own.sk_live)).toEqual(refused);
  expect(await initialize(own.pk_live)).toBe(200);
  expect(await keyTest(bearer(own.sk_live))).toEqual({
    status: 200,
    body: { valid: false, key_type: 'sk_live', is_test: null, customer_id: null },
  });

  await revoke(listed.find(({ kind }) => kind === 'sk_test')!.pair_id);
  expect(await initialize(own.sk_test)).toEqual(refused);
  expect(await initialize(own.pk_test)).toEqual(refused);
});

test.describe('browsers of other origins', () => {
  const origin = { origin: 'https://venue.example' };
  const preflight = (path: string) =>
    send(url(path), {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });

  for (const path of ['/v3/initialize', '/v3/keys/test']) {
    test(`may call ${path}, without credentials`, async () => {
      const asked = await preflight(path);
      expect(asked.status).toBe(204);
      expect(asked.headers.get('access-control-allow-origin')).toBe('*');
      expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
      expect(asked.headers.get('access-control-allow-headers')).toMatch(/authorization/i);
      expect(asked.headers.get('access-control-allow-headers')).toMatch(/content-type/i);
      expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
      for (const call of [{ key: keys.pk_live, body: {} }, { body: {} }, { key: keys.pk_live, body: '{' }]) {
        const reply = await send(url(path), { ...call, headers: origin });
        expect(reply.headers.get('access-control-allow-origin')).toBe('*');
        expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
      }
    });
  }

  test('may call no other route', async () => {
    for (const { method, path, ...rest } of OPERATIONS.filter((one) => one.secretOnly)) {
      const asked = await preflight(path);
      expect(asked.headers.get('access-control-allow-origin')).toBeNull();
      const body = 'body' in rest ? { body: rest.body } : {};
      const reply = await send(url(path), { method, key: keys.sk_test, headers: origin, ...body });
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

/** POST /v3/initialize, row by row: contract "v3: initialize request", "Rules for POST /v3/initialize", "Errors". */
import { expect, test } from '@playwright/test';
import type { NewCompany } from '../server/services/companies/companies.ts';
import { send } from './support/http.ts';
import { consentedRun, initialize } from './support/run.ts';
import { type Gatehouse, startGatehouse } from './support/server.ts';
import { newCompany } from './support/venue.ts';

/** A well-formed id of nothing. */
const NOBODY = '018f0000-0000-7000-8000-000000000000';

let gatehouse: Gatehouse;
let company: NewCompany;
let keys: NewCompany['keys'];
let second: { verification_id: string };
test.beforeAll(async () => {
  gatehouse = await startGatehouse();
  ({ company } = gatehouse);
  ({ keys } = company);
  const fields = ['--external-id', 'door-2', '--origin', 'https://venue.example', '--start-path', '/shop'];
  second = await gatehouse.cli(['verification', 'create', '--company', company.company_id, ...fields]);
});
test.afterAll(async () => {
  await gatehouse.stop();
});

type Body = Record<string, unknown>;
const post = (body: unknown, key: string = keys.sk_test) =>
  send<Body>(`${gatehouse.baseUrl}/v3/initialize`, { key, body, method: 'POST' });

test('the reply names the hosted link and the session, and no invite', async () => {
  const { status, body, headers } = await post({});
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['invite_id', 'session_id', 'url']);
  expect(body['invite_id']).toBeNull();
  expect(body['session_id']).toEqual(expect.stringMatching(/\S{22,}/));
  expect(body['url']).toBe(`${gatehouse.baseUrl}/verification?vys=${String(body['session_id'])}`);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('with expire_in_days it names an invite and no session', async () => {
  const { status, body } = await post({ email: 'invited@venue.example', expire_in_days: 30 });
  expect(status).toBe(200);
  expect(body['session_id']).toBeNull();
  expect(body['invite_id']).toEqual(expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
  expect(body['url']).toEqual(expect.stringContaining(`${gatehouse.baseUrl}/invite/`));
});

test.describe('key kinds', () => {
  const SECRET_ONLY: Record<string, unknown> = {
    verification_id: NOBODY,
    verification_external_id: 'door-2',
    email: 'guest@venue.example',
    phone: '+4915112345678',
    external_id: 'x',
    group: 'g',
    include_groups: ['g'],
    redirect_url: 'https://venue.example/back',
    metadata: { a: 1 },
  };
  for (const [field, value] of Object.entries(SECRET_ONLY)) {
    test(`${field} needs a secret key`, async () => {
      for (const key of [keys.pk_live, keys.pk_test]) {
        const { status, body } = await post({ [field]: value }, key);
        expect({ status, body }).toEqual({
          status: 400,
          body: { detail: 'identifiers_require_secret_key' },
        });
        expect((await post({ [field]: null }, key)).status).toBe(200);
      }
    });
  }

  test('config needs a test key, of either kind', async () => {
    for (const key of [keys.pk_live, keys.sk_live]) {
      const { status, body } = await post({ config: { no_such: true } }, key);
      expect({ status, body }).toEqual({ status: 403, body: { detail: 'config_requires_test_key' } });
    }
    for (const key of [keys.pk_test, keys.sk_test])
      expect((await post({ config: {} }, key)).status).toBe(200);
  });

  test('the rest takes any key', async () => {
    const body = {
      return_path: '/back',
      external_tracker: 't',
      pass_params: { a: 'b' },
      auto_return: true,
    };
    for (const key of [keys.pk_live, keys.pk_test, keys.sk_live, keys.sk_test]) {
      expect((await post(body, key)).status).toBe(200);
    }
    expect((await post({ origin: 'venue.example', start_path: '/shop/1' }, keys.pk_live)).status).toBe(200);
  });
});

test.describe('what fields mean together', () => {
  const email = 'guest@venue.example';
  const REFUSED: [body: Body, status: number, detail: string][] = [
    [{ email, phone: '+4915112345678' }, 400, 'one_identifier_only'],
    [{ email: 'nobody' }, 400, 'identifier_unrecognized'],
    [{ phone: '12' }, 400, 'identifier_unrecognized'],
    [{ start_path: '/shop' }, 400, 'start_path_requires_origin'],
    [{ redirect_url: '/back' }, 400, 'invalid_redirect_url'],
    [{ redirect_url: 'http://venue.example/' }, 400, 'invalid_redirect_url'],
    [{ redirect_url: 'javascript:alert(1)' }, 400, 'invalid_redirect_url'],
    [
      { email, expire_in_days: 7, redirect_url: 'https://venue.example/' },
      400,
      'redirect_url_requires_session',
    ],
    [{ email, expire_in_days: 7, group: 'g' }, 400, 'group_requires_session'],
    [{ email, expire_in_days: 7, include_groups: ['g'] }, 400, 'group_requires_session'],
    [{ expire_in_days: 7 }, 400, 'expire_in_days_requires_email'],
    [{ metadata: { a: 1 } }, 400, 'metadata_requires_identifier'],
    [{ verification_id: NOBODY }, 404, 'no_matching_verification'],
    [{ verification_external_id: 'door-3' }, 404, 'no_matching_verification'],
    [
      { config: { no_such: 1, collision: { how: 2 } } },
      422,
      'config_incomplete: missing no_such, collision.how',
    ],
  ];
  for (const [body, status, detail] of REFUSED) {
    test(`${JSON.stringify(body)}: ${detail}`, async () => {
      const reply = await post(body);
      expect({ status: reply.status, body: reply.body }).toEqual({ status, body: { detail } });
    });
  }

  test('a live browser key may only name an origin that a verification has saved', async () => {
    const reply = await post({ origin: 'stranger.example' }, keys.pk_live);
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 404,
      body: { detail: 'no_matching_verification' },
    });
    for (const key of [keys.sk_live, keys.sk_test, keys.pk_test]) {
      expect((await post({ origin: 'stranger.example' }, key)).status).toBe(200);
    }
  });

  test('another company’s verification reads as nonexistent', async () => {
    const other = await newCompany(gatehouse, 'Another venue');
    const reply = await post({ verification_id: other.default_verification_id });
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 404,
      body: { detail: 'no_matching_verification' },
    });
  });
});

test.describe('who is claimed already', () => {
  test('an email or phone of someone else is 409, one’s own is a return visit', async () => {
    for (const identity of [{ email: 'Owner@Venue.example' }, { phone: '+4915187654321' }]) {
      const name = Object.keys(identity).join();
      const request = { ...identity, external_id: `owner-${name}` };
      const run = await consentedRun(gatehouse, keys.sk_test, request);
      expect((await run.flow('/test-capture', { face: name })).body.result?.verified).toBe(true);

      const stranger = await post({ ...identity, external_id: 'stranger' });
      expect({ status: stranger.status, body: stranger.body }).toEqual({
        status: 409,
        body: { detail: 'identity_already_claimed' },
      });
      expect((await post(request)).status).toBe(200);
      // The live partition has never heard of them.
      expect((await post({ ...identity, external_id: 'stranger' }, keys.sk_live)).status).toBe(200);
    }
  });

  test('an external_id of another verification is 409, of the same one a return visit', async () => {
    const run = await consentedRun(gatehouse, keys.sk_test, { external_id: 'bound' });
    expect((await run.flow('/test-capture', { face: 'bound' })).body.result?.verified).toBe(true);
    const elsewhere = await post({ external_id: 'bound', verification_id: second.verification_id });
    expect({ status: elsewhere.status, body: elsewhere.body }).toEqual({
      status: 409,
      body: { detail: 'external_id_already_exists' },
    });
    expect((await post({ external_id: 'bound' })).status).toBe(200);
  });
});

test('the person returns to redirect_url, else to the verification’s, else to origin and return_path', async () => {
  const saved = await gatehouse.cli<{ verification_id: string }>([
    ...['verification', 'create', '--company', company.company_id],
    ...['--redirect-url', 'https://saved.example/in?a=1'],
  ]);
  const returnOf = async (request: Body) => {
    const run = await consentedRun(gatehouse, keys.sk_test, request);
    const url = (await run.flow('/decline', {})).body.result?.return_url;
    return url ? new URL(url) : null;
  };
  const origin = { origin: 'https://venue.example', return_path: '/back' };
  const { verification_id } = saved;
  const sent = await returnOf({
    ...origin,
    verification_id,
    redirect_url: 'https://sent.example/x?y=1',
    pass_params: { order: '17', vyt: 'mine', vyx: 'mine' },
  });
  expect(sent?.origin).toBe('https://sent.example');
  expect(sent?.searchParams.get('y')).toBe('1');
  expect(sent?.searchParams.get('order')).toBe('17');
  expect(sent?.searchParams.get('vyc')).toBe('0');
  expect(sent?.searchParams.getAll('vyt')).toEqual([expect.stringMatching(/^vyt_/)]);
  expect(sent?.searchParams.has('vyx')).toBe(false);
  expect((await returnOf({ ...origin, verification_id }))?.href).toMatch(
    /^https:\/\/saved\.example\/in\?a=1&vyt=/,
  );
  expect((await returnOf(origin))?.href).toMatch(/^https:\/\/venue\.example\/back\?vyt=/);
  expect(await returnOf({})).toBeNull();
});

test('auto_return of the request overrides the stored setting', async () => {
  const stored = await gatehouse.cli<{ verification_id: string }>([
    ...['verification', 'create', '--company', company.company_id],
    ...['--config', '{"returning":{"auto_return":true}}'],
  ]);
  const shown = async (request: Body) => {
    const { session_id } = await initialize(gatehouse, keys.sk_test, request);
    const opened = await send<{ snapshot: { auto_return: boolean } }>(
      `${gatehouse.baseUrl}/flow/sessions/${session_id}/open`,
      { body: { device: 'mobile' } },
    );
    return opened.body.snapshot.auto_return;
  };
  const { verification_id } = stored;
  expect(await shown({})).toBe(false);
  expect(await shown({ auto_return: true })).toBe(true);
  expect(await shown({ verification_id })).toBe(true);
  expect(await shown({ verification_id, auto_return: false })).toBe(false);
});

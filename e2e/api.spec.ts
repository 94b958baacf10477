import { expect, test } from '@playwright/test';
import { type Gatehouse, startGatehouse } from './support/service/server.ts';

let gatehouse: Gatehouse;
test.beforeAll(async () => {
  gatehouse = await startGatehouse();
});
test.afterAll(() => gatehouse.stop());

test('the server is alive, and its health response must not be cached', async () => {
  const reply = await fetch(`${gatehouse.baseUrl}/healthz`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test('a key works, survives a crash, and is refused as soon as the command line revokes it', async () => {
  const { company } = gatehouse;
  const initialize = () =>
    fetch(`${gatehouse.baseUrl}/v3/initialize`, {
      method: 'POST',
      headers: { authorization: `Bearer ${company.keys.sk_test}`, 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await initialize()).status).toBe(200);

  await gatehouse.kill9();
  await gatehouse.restart();
  expect((await initialize()).status).toBe(200);

  const own = { company: company.company_id };
  const keys = await gatehouse.cli<{ key_id: string; kind: string }[]>(['keys', 'list'], own);
  const { key_id: key } = keys.find(({ kind }) => kind === 'sk_test')!;
  await gatehouse.cli(['keys', 'revoke'], { ...own, key, reason: 'lost' });
  expect((await initialize()).status).toBe(401);
});

test('bytes that are not UTF-8 are refused everywhere, in each interface’s own words', async () => {
  const { baseUrl, consoleUrl, company } = gatehouse;
  const body = Buffer.concat([Buffer.from('{"external_id": "a'), Buffer.from([0xff]), Buffer.from('"}')]);
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: reply.status, body: (await reply.json()) as unknown };
  };
  const invalid = {
    status: 422,
    body: { detail: [{ type: 'json_invalid', ctx: { error: 'invalid UTF-8' } }] },
  };
  const failure = {
    status: 400,
    body: {
      status: 'failure',
      failure_code: 'INVALID_REQUEST',
      failure_reason: 'The body is not valid JSON: invalid UTF-8.',
    },
  };
  const bearer = { authorization: `Bearer ${company.keys.sk_live}` };
  expect(await ask(`${baseUrl}/v3/initialize`, bearer)).toMatchObject(invalid);
  expect(await ask(`${baseUrl}/v3/confirmations`, bearer)).toMatchObject(invalid);
  for (const path of ['/v2/verification/create', '/v1/business_connect_user/register']) {
    expect(await ask(baseUrl + path, { 'api-key': company.keys.ak_live })).toMatchObject(failure);
  }
  for (const path of ['/flow/sessions/vs_x/open', '/flow/handoff/open', '/flow/my/code']) {
    expect({ path, ...(await ask(baseUrl + path)) }).toMatchObject({ path, ...invalid });
  }
  expect((await ask(`${baseUrl}/kiosk/pair`)).status).toBe(422);
  expect(await ask(`${consoleUrl}/console/api/sign-in`)).toMatchObject({
    status: 422,
    body: { error: 'invalid_request', message: 'body: Use UTF-8' },
  });
});

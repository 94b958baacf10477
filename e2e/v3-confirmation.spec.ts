/** GET /v3/confirmations/{token}: contract "v3: confirmation", "Rules for the confirmation endpoints", "Errors". */
import { expect, test } from '@playwright/test';
import type { InitializeRequest } from '../server/contract/v3.ts';
import type { NewCompany } from '../server/services/companies/companies.ts';
import { send } from './support/http.ts';
import { consentedRun, openRun, type Run } from './support/run.ts';
import { type Gatehouse, startGatehouse } from './support/server.ts';
import { newCompany } from './support/venue.ts';

let gatehouse: Gatehouse;
let company: NewCompany;
let keys: NewCompany['keys'];
test.beforeAll(async () => {
  gatehouse = await startGatehouse();
  ({ company } = gatehouse);
  ({ keys } = company);
});
test.afterAll(async () => {
  await gatehouse.stop();
});

type Body = Record<string, unknown>;
const read = (token: string, key: string = keys.sk_test) =>
  send<Body>(`${gatehouse.baseUrl}/v3/confirmations/${token}`, { key });

/** A test face's run, settled; its result token. */
async function settled(face: string, request: InitializeRequest = {}, key: string = keys.sk_test) {
  const run = await consentedRun(gatehouse, key, request);
  return tokenOf(run, await run.flow('/test-capture', { face }));
}

async function tokenOf(run: Run, reply: Awaited<ReturnType<Run['flow']>>): Promise<string> {
  const vyt = (reply.body as { result?: { vyt?: string } }).result?.vyt;
  if (vyt === undefined) throw new Error(`${run.sessionId} did not settle: ${JSON.stringify(reply.body)}`);
  return vyt;
}

const isText = (value: unknown) => typeof value === 'string';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const orNull = (fits: (value: unknown) => boolean) => (value: unknown) => value === null || fits(value);
const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The contract's table; `identity` and `verification` are always there. */
const FIELDS: Record<string, (value: unknown) => boolean> = {
  verified: isBoolean,
  status: (value) => value === 'approved' || value === 'denied',
  reasons: isTexts,
  declined: isBoolean,
  group: orNull(isText),
  groups: isTexts,
  id: isText,
  confirmed_at: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
  locked: isBoolean,
  is_test: isBoolean,
  score: orNull((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100),
  band: orNull((value) => ['low', 'medium', 'high'].includes(String(value))),
  external_id: orNull(isText),
  identity: orNull((value) => isObject(value) && isText(value['provider']) && isText(value['identifier'])),
  verification: (value) =>
    isObject(value) &&
    Object.keys(value).sort().join() === 'external_id,external_tenant_id' &&
    Object.values(value).every(orNull(isText)),
};

function expectContract(body: Body): void {
  expect(Object.keys(body).sort()).toEqual(Object.keys(FIELDS).sort());
  const misfits = Object.entries(FIELDS).filter(([field, fits]) => !fits(body[field]));
  expect(misfits.map(([field]) => [field, body[field]])).toEqual([]);
}

test.describe('a settled pass', () => {
  test('clean: approved without reasons', async () => {
    const { status, body, headers } = await read(await settled('clean'));
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expectContract(body);
    expect(body).toMatchObject({
      verified: true,
      status: 'approved',
      reasons: [],
      declined: false,
      group: null,
      groups: [],
      locked: false,
      is_test: true,
      external_id: null,
      identity: null,
      verification: { external_id: null, external_tenant_id: null },
    });
  });

  test('with all that a run may carry', async () => {
    const record = await gatehouse.cli<{ verification_id: string }>([
      ...['verification', 'create', '--company', company.company_id],
      ...['--external-id', 'gate-7', '--external-tenant-id', 'tenant-1'],
      ...['--config', '{"identity":{"share":true}}'],
    ]);
    const request = { ...record, email: ' Full@Venue.example ', external_id: 'full-1', group: 'friday' };
    const { verification_id, email, external_id, group } = request;
    const { body } = await read(await settled('full', { verification_id, email, external_id, group }));
    expectContract(body);
    expect(body).toMatchObject({
      verified: true,
      group: 'friday',
      external_id: 'full-1',
      identity: { provider: 'email', identifier: 'full@venue.example' },
      verification: { external_id: 'gate-7', external_tenant_id: 'tenant-1' },
    });
  });

  test('the identity stays unshared unless the config shares it', async () => {
    const { body } = await read(await settled('private', { email: 'private@venue.example' }));
    expectContract(body);
    expect(body['identity']).toBeNull();
  });

  test('flagged: approved with reasons, and the groups they come from', async () => {
    const config = { collision: { action: 'flag' }, skip: { window_hours: 0 } };
    await settled('flagged', { external_id: 'flagged-1', group: 'friday', config });
    const { body } = await read(
      await settled('flagged', { external_id: 'flagged-2', group: 'friday', config }),
    );
    expectContract(body);
    expect(body).toMatchObject({
      verified: true,
      status: 'approved',
      reasons: ['collision', 'duplicate_account'],
      groups: ['friday'],
    });
  });

  test('denied: at least one reason', async () => {
    const config = { skip: { window_hours: 0 } };
    await settled('denied', { external_id: 'denied-1', config });
    const { body } = await read(await settled('denied', { external_id: 'denied-2', config }));
    expectContract(body);
    expect(body).toMatchObject({
      verified: false,
      status: 'denied',
      declined: false,
      reasons: ['collision_company', 'duplicate_account'],
      groups: [],
    });
  });

  for (const [face, reason] of [
    ['spoof', 'spoof_suspected'],
    ['blurred', 'liveness_failed'],
  ] as const) {
    test(`${face}: denied with ${reason} when the attempts are used up`, async () => {
      const run = await consentedRun(gatehouse, keys.sk_test);
      for (const left of [2, 1]) {
        const { body } = await run.flow('/test-capture', { face });
        expect(body).toMatchObject({ state: 'open', attempts_left: left, result: null });
        expect(body.findings).not.toEqual([]);
      }
      const { body } = await read(await tokenOf(run, await run.flow('/test-capture', { face })));
      expectContract(body);
      expect(body).toMatchObject({ verified: false, status: 'denied', reasons: [reason] });
    });
  }

  test('declined: 200, denied but not failed', async () => {
    const run = await openRun(gatehouse, keys.sk_live);
    const reply = await run.flow('/decline', {});
    const { status, body } = await read(await tokenOf(run, reply), keys.sk_live);
    expect(status).toBe(200);
    expectContract(body);
    expect(body).toMatchObject({
      verified: false,
      status: 'denied',
      declined: true,
      reasons: ['declined'],
      is_test: false,
    });
  });

  test('locked: 200, and no longer verified', async () => {
    const token = await settled('locked');
    const lock = `${gatehouse.baseUrl}/v3/confirmations/${token}/lock`;
    for (let repeated = 0; repeated < 2; repeated++) {
      const locked = await send<Body>(lock, { key: keys.sk_test, method: 'POST' });
      expect(locked.status).toBe(200);
      expect(locked.body).toMatchObject({ locked: true });
    }
    const { status, body } = await read(token);
    expect(status).toBe(200);
    expectContract(body);
    expect(body).toMatchObject({ verified: false, locked: true });
  });

  test('after the daily limit: denied with usage_cap_exceeded', async () => {
    const capped = await newCompany(gatehouse, 'Full house');
    await gatehouse.cli(['limit', 'set', '--company', capped.company_id, '--daily', '1']);
    await settled('first', {}, capped.keys.sk_test);
    const { body } = await read(await settled('second', {}, capped.keys.sk_test), capped.keys.sk_test);
    expectContract(body);
    expect(body).toMatchObject({ verified: false, status: 'denied', reasons: ['usage_cap_exceeded'] });
    // Live and test are counted apart.
    const live = await openRun(gatehouse, capped.keys.sk_live);
    expect((await live.flow('/consent', { accepted: true })).body).toMatchObject({ step: 'capture' });
  });

  test('reading twice gives the same', async () => {
    const token = await settled('twice');
    expect((await read(token)).body).toEqual((await read(token)).body);
  });
});

test.describe('who may read', () => {
  const notFound = { status: 404, body: { detail: 'not found' } };
  const answer = async (token: string, key?: string) => {
    const { status, body } = await read(token, key);
    return { status, body };
  };

  test('another company’s token, and another partition’s, read as nonexistent', async () => {
    const token = await settled('mine');
    const other = await newCompany(gatehouse, 'Other venue');
    expect(await answer(token, other.keys.sk_test)).toEqual(notFound);
    expect(await answer(token, other.keys.sk_live)).toEqual(notFound);
    expect(await answer(token, keys.sk_live)).toEqual(notFound);
    expect((await read(token)).status).toBe(200);

    const live = await openRun(gatehouse, keys.sk_live);
    const liveToken = await tokenOf(live, await live.flow('/decline', {}));
    expect(await answer(liveToken, keys.sk_test)).toEqual(notFound);
    expect((await read(liveToken, keys.sk_live)).status).toBe(200);
  });

  test('a run that a reviewer has reads as nonexistent until it is decided', async () => {
    const config = { skip: { window_hours: 0 }, collision: { action: 'review' } };
    await settled('reviewed', { external_id: 'reviewed-1', config });
    const run = await consentedRun(gatehouse, keys.sk_test, { external_id: 'reviewed-2', config });
    await run.flow('/test-capture', { face: 'reviewed' });
    const waiting = await run.snapshot();
    expect(waiting.state).toBe('in_review');
    const token = waiting.result?.vyt ?? '';
    expect(await answer(token)).toEqual(notFound);
    await run.flow('/test-review', { decision: 'deny' });
    const { body } = await read(token);
    expectContract(body);
    expect(body).toMatchObject({ verified: false, status: 'denied' });
    expect(body['reasons']).toContain('reviewer_denied');
  });

  test('a malformed or altered token is 401 invalid_confirmation_token', async () => {
    const token = await settled('altered');
    const middle = Math.floor(token.length / 2);
    const altered = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
    for (const wrong of ['x', 'vyt_', `${token}A`, token.slice(0, -4), altered, token.toUpperCase()]) {
      expect(await answer(wrong)).toEqual({ status: 401, body: { detail: 'invalid_confirmation_token' } });
    }
  });

  test('a publishable key is 401 invalid_key_type', async () => {
    const token = await settled('browser');
    for (const key of [keys.pk_test, keys.pk_live]) {
      expect(await answer(token, key)).toEqual({ status: 401, body: { detail: 'invalid_key_type' } });
    }
  });

  test('rotating the key beside a running server keeps tokens that were given out', async () => {
    const before = await settled('before-rotation');
    const { version } = await gatehouse.cli<{ version: number }>([
      'result-token-key',
      'rotate',
      '--reason',
      'yearly',
    ]);
    const versionOf = (token: string) => Buffer.from(token.slice('vyt_'.length), 'base64url')[0];
    let after = '';
    await expect
      .poll(async () => versionOf((after = await settled(`after-rotation-${Math.random()}`))))
      .toBe(version);
    for (const token of [before, after]) expect((await read(token)).status).toBe(200);
  });
});

/** One `Idempotency-Key` is one effect, on both engines, also if two nodes get the call at the same time. */
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { passOf, run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { listRunsNaming } from '../../store/people/erased-runs.ts';
import type { KeepReply } from './idempotency.ts';
import { forgetReplies, once, REPLY_KEPT_MS } from './idempotency.ts';
import { createFastify } from '../../http/public-app.ts';
import { v1Routes } from '../../routes/v1/index.ts';
import { v2Routes } from '../../routes/v2/index.ts';
import { v3Routes } from '../../routes/v3/index.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { settleDeclined } from '../settling/settlement.ts';
import { clearTestData } from '../people/test-data.ts';

type Call = { url: string; payload?: string | object; auth?: Record<string, string>; key?: string };

async function openApp() {
  const service = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(v3Routes, { deps: service.deps });
  await app.register(v2Routes, { deps: service.deps, prefix: '/v2' });
  await app.register(v1Routes, { deps: service.deps, prefix: '/v1' });
  onTestFinished(() => app.close());
  const { keys } = service.company;
  const secret = { authorization: `Bearer ${keys.sk_test}` };
  const post = async ({ url, payload, auth = secret, key }: Call) => {
    const headers = {
      ...auth,
      ...(typeof payload === 'string' && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const reply = await app.inject({
      method: 'POST',
      url,
      headers,
      ...(payload !== undefined && { payload }),
    });
    return { status: reply.statusCode, body: reply.body, headers: reply.headers, json: reply.json<Reply>() };
  };
  const count = async (table: string) =>
    Number((await service.deps.db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))?.n);
  return { ...service, keys, secret, post, count };
}
type Reply = Record<string, string | undefined>;

const tokenOf = async ({ post }: Awaited<ReturnType<typeof openApp>>) =>
  (await post({ url: '/v3/test/confirmation-token', payload: {} })).json['token'] ?? '';

const API_KEY = (keys: object) => ({ 'api-key': (keys as Record<string, string>)['ak_test'] ?? '' });

describe('a call repeated with its key has one effect and the same reply', () => {
  it.each(['initialize', 'invite', 'lock', 'test token', 'v2 create', 'v1 register'])('%s', async (what) => {
    const app = await openApp();
    const lock = what === 'lock' ? `/v3/confirmations/${await tokenOf(app)}/lock` : '';
    const calls: Record<string, [Call, table: string, made: number]> = {
      initialize: [{ url: '/v3/initialize', payload: { external_id: 'a' } }, 'sessions', 1],
      invite: [{ url: '/v3/initialize', payload: { expire_in_days: 3, email: 'a@b.example' } }, 'invites', 1],
      lock: [{ url: lock }, 'audit_entries', 1],
      'test token': [{ url: '/v3/test/confirmation-token', payload: {} }, 'passes', 1],
      'v2 create': [{ url: '/v2/verification/create', payload: {}, auth: API_KEY(app.keys) }, 'sessions', 1],
      'v1 register': [
        {
          url: '/v1/business_connect_user/register',
          payload: { reference_user_id: 'r' },
          auth: API_KEY(app.keys),
        },
        'invites',
        1,
      ],
    };
    const [call, table, made] = calls[what]!;
    const before = await app.count(table);
    const first = await app.post({ ...call, key: '"one"' });
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
    const again = await app.post({ ...call, key: 'one' });
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([
      200,
      first.body,
      'true',
    ]);
    expect((await app.count(table)) - before).toBe(made);
    const other = await app.post({ ...call, key: 'two' });
    expect([other.status, other.headers['idempotent-replayed']]).toEqual([200, undefined]);
  });
});

it('another body or path under the key is 422, in the words of its generation', async () => {
  const app = await openApp();
  const url = '/v3/initialize';
  await app.post({ url, payload: '{"group": "g", "external_id": "a"}', key: 'k' });
  const spelt = await app.post({
    url,
    payload: '{"external_id":"\\u0061","group":"g","email":null}',
    key: 'k',
  });
  expect([spelt.status, spelt.headers['idempotent-replayed']]).toEqual([200, 'true']);
  const refused = await app.post({ url, payload: { group: 'h', external_id: 'a' }, key: 'k' });
  expect([refused.status, refused.json]).toEqual([422, { detail: 'idempotency_key_reused' }]);
  const [one, two] = [await tokenOf(app), await tokenOf(app)];
  await app.post({ url: `/v3/confirmations/${one}/lock`, key: 'l' });
  expect((await app.post({ url: `/v3/confirmations/${two}/lock`, key: 'l' })).status).toBe(422);
  const v1 = { url: '/v1/business_connect_user/register', auth: API_KEY(app.keys), key: 'k' };
  await app.post({ ...v1, payload: { reference_user_id: 'a' } });
  const failure = await app.post({ ...v1, payload: { reference_user_id: 'b' } });
  expect([failure.status, failure.json['failure_code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
});

it('a key is one thing for each key family, partition and operation', async () => {
  const app = await openApp();
  const live = { authorization: `Bearer ${app.keys.sk_live}` };
  const other = await app.otherCompany();
  const stranger = { authorization: `Bearer ${other.company.keys.sk_test}` };
  const links = [
    await app.post({ url: '/v3/initialize', payload: {}, key: 'k' }),
    await app.post({ url: '/v3/initialize', payload: {}, key: 'k', auth: live }),
    await app.post({ url: '/v3/initialize', payload: {}, key: 'k', auth: stranger }),
    await app.post({ url: '/v3/test/confirmation-token', payload: {}, key: 'k' }),
  ];
  expect(links.map(({ status, headers }) => [status, headers['idempotent-replayed']])).toEqual(
    links.map(() => [200, undefined]),
  );
});

it('the publishable key of a pair neither takes a key from the secret one nor gets its reply', async () => {
  const app = await openApp();
  const pk = { authorization: `Bearer ${app.keys.pk_test}` };
  const call = { url: '/v3/initialize', payload: {}, key: 'order-1042' };
  const first = await app.post({ ...call, auth: pk });
  const own = await app.post({ ...call, payload: { email: 'a@b.example' } });
  expect([first.status, own.status, own.headers['idempotent-replayed']]).toEqual([200, 200, undefined]);
  const again = await app.post({ ...call, auth: pk });
  expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
});

it('a refused call keeps nothing: corrected, it is a first call with the same key', async () => {
  const app = await openApp();
  const url = '/v3/initialize';
  expect((await app.post({ url, payload: { external_id: '' }, key: 'k' })).status).toBe(422);
  expect((await app.post({ url, payload: { metadata: { a: 1 } }, key: 'k' })).status).toBe(400);
  expect(await app.count('idempotency_keys')).toBe(0);
  const corrected = await app.post({ url, payload: { external_id: 'a', metadata: { a: 1 } }, key: 'k' });
  expect([corrected.status, corrected.headers['idempotent-replayed']]).toEqual([200, undefined]);
});

it('an invalid key is 400', async () => {
  const app = await openApp();
  const key = 'x'.repeat(256);
  const v3 = await app.post({ url: '/v3/initialize', payload: {}, key });
  expect([v3.status, v3.json]).toEqual([400, { detail: 'invalid_idempotency_key' }]);
  const v2 = await app.post({ url: '/v2/verification/create', payload: {}, key, auth: API_KEY(app.keys) });
  expect([v2.status, v2.json['failure_code']]).toEqual([400, 'INVALID_REQUEST']);
});

describe('calls at the same time', () => {
  const callOf = async (service: TestService, sent: unknown) => ({
    caller: await service.caller('sk_test'),
    operation: 'test',
    key: 'k',
    sent,
  });

  it('while the first runs, its repetition is 409 and another body 422', async () => {
    const service = await openTestService();
    const { promise: held, resolve: letGo } = Promise.withResolvers<null>();
    const first = once(service.deps, await callOf(service, 1), async () => {
      await held;
      return 'done';
    });
    await expect(once(service.deps, await callOf(service, 1), async () => '')).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    });
    await expect(once(service.deps, await callOf(service, 2), async () => '')).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    letGo(null);
    expect(await first).toEqual({ reply: 'done', isReplayed: false });
  });

  it('of twenty, one takes effect; the others are told that it runs, or get its reply', async () => {
    const app = await openApp();
    const call = { url: '/v3/initialize', payload: { external_id: 'a' }, key: 'k' };
    const replies = await Promise.all(Array.from({ length: 20 }, () => app.post(call)));
    expect(await app.count('sessions')).toBe(1);
    const links = new Set(replies.filter(({ status }) => status === 200).map(({ body }) => body));
    expect(links.size).toBe(1);
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  });

  it('if another node was first, its reply is given and nothing else stays of the second', async () => {
    const service = await openTestService();
    const { deps, scope } = service;
    const own = scope('test');
    const effect = (node: string) => (keep: KeepReply<string>) =>
      deps.db.tx(async (tx) => {
        await tx.run(
          'INSERT INTO settings (name, value) VALUES (?, ?)',
          `test.${node}`,
          tx.secrets.seal('settings.value', [`test.${node}`], '1'),
        );
        await keep(tx, node, 'subject');
        return node;
      }, own);
    const call = await callOf(service, 1);
    // The other node's call, begun and ended between this one's look and its effect.
    const second = await once<string>(deps, call, async (keep) => {
      await effect('one')(keep);
      return effect('two')(keep);
    });
    expect(second).toEqual({ reply: 'one', isReplayed: true });
    const rows = await deps.db.all<{ name: string }>(`SELECT name FROM settings WHERE name LIKE 'test.%'`);
    expect(rows).toEqual([{ name: 'test.one' }]);
  });
});

it('a reply is given for 24 hours, then the key is free and the clean-up removes it', async () => {
  const app = await openApp();
  const call = { url: '/v3/initialize', payload: {}, key: 'k' };
  const first = await app.post(call);
  app.clock.advance(REPLY_KEPT_MS - 1);
  await forgetReplies(app.deps);
  expect((await app.post(call)).body).toBe(first.body);
  app.clock.advance(1);
  const later = await app.post(call);
  expect(later.headers['idempotent-replayed']).toBeUndefined();
  expect(later.body).not.toBe(first.body);
  app.clock.advance(REPLY_KEPT_MS + 1);
  await forgetReplies(app.deps);
  expect(await app.count('idempotency_keys')).toBe(0);
});

it('an erased person’s replies go with them, and cleared test data too', async () => {
  const app = await openApp();
  const started = await app.post({ url: '/v3/initialize', payload: { external_id: 'acct' }, key: 'k' });
  const other = await app.post({ url: '/v3/initialize', payload: { external_id: 'other' }, key: 'o' });
  expect([started.status, other.status]).toEqual([200, 200]);
  await run(app, 'alice', { external_id: 'acct' });
  const runs = await listRunsNaming(app.deps.db, app.scope('test'), {
    id: '',
    identities: [],
    externalIds: ['acct'],
  });
  const settled = await sessionOf(app, runs.find(({ state }) => state === 'settled')?.id ?? '');
  const pass = await app.deps.db.one<{ personId: string }>(
    'SELECT person_id AS personId FROM passes WHERE id = ?',
    settled.passId,
  );
  await eraseOnePerson(app.deps, app.scope('test'), pass?.personId ?? '', 'person');
  expect(await app.count('idempotency_keys')).toBe(1);
  const request = { companyId: app.company.company_id, before: null, actor: 'cli' } as const;
  await clearTestData(app.deps.db, app.clock, request);
  expect(await app.count('idempotency_keys')).toBe(0);
});

it('the reply to a lock of a pass that belongs to nobody goes with the person whom it names', async () => {
  const app = await openApp();
  const named = { external_id: 'acct', email: 'a@shop.example' };
  const session = await startRun(app, named);
  await settleDeclined(app.deps, session, undefined, async () => undefined);
  const { passId } = await sessionOf(app, session.id);
  const token = app.deps.tokens.mint({ passId: passId ?? '', mintedAt: app.clock.now() }, session.id);
  const lock = await app.post({ url: `/v3/confirmations/${token}/lock`, key: 'k' });
  expect([lock.status, lock.body]).toEqual([200, expect.stringContaining('acct') as unknown]);
  const { personId } = await passOf(app, await run(app, 'alice', named));
  await eraseOnePerson(app.deps, app.scope('test'), personId ?? '', 'person');
  expect(await app.count('idempotency_keys')).toBe(0);
});

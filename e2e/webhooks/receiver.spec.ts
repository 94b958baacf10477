/** Webhooks with a correct receiver, and with one that does everything wrong. */
import { expect, test } from '@playwright/test';
import { MINUTE_MS, testClock, type TestClock } from '../support/service/clock.ts';
import { sized, limitMs } from '../../testing/tier.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { newCompany } from '../support/venue.ts';
import {
  type Answer,
  COMPLETED,
  isSigned,
  ok,
  passV2,
  startWebhookReceiver,
  webhookAdmin,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

/** An attempt that hangs takes 15 s; the outbox is polled every few seconds. */
const SOON = { timeout: limitMs(10_000) };
const UUID = /^ewh:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let gatehouse: Gatehouse;
let clock: TestClock;
let receiver: WebhookReceiver;
let key: string;
let admin: ReturnType<typeof webhookAdmin>;
test.beforeAll(async () => {
  test.setTimeout(limitMs(30_000));
  clock = await testClock();
  gatehouse = await startGatehouse({ env: { ...clock.env, GATEHOUSE_WEBHOOK_ALLOW_HOSTS: '127.0.0.1' } });
});
test.afterAll(async () => {
  await gatehouse.stop();
  clock.remove();
});
test.beforeEach(async () => {
  receiver = await startWebhookReceiver();
  key = (await newCompany(gatehouse, 'Harbour Survey')).keys.ak_test;
  admin = webhookAdmin(gatehouse, key);
});
test.afterEach(() => receiver.close());

const callOf = async (id: string) =>
  (await admin.calls()).find(({ transaction_id }) => transaction_id === id)!;
const eventsOf = async (id: string) =>
  (await admin.events()).filter(({ transaction_id }) => transaction_id === id);

/** One call from an approved run; it was delivered and accepted. */
async function firstCall(): Promise<{ id: string; secret: string }> {
  const { shared_secret: secret } = await admin.save(receiver.url);
  await passV2(gatehouse, key, 'guest-1');
  await expect.poll(async () => (await admin.calls())[0]?.status, SOON).toBe('COMPLETED');
  return { id: (await admin.calls())[0]!.transaction_id, secret };
}

test('an approved run is announced: signed, in the contract’s form, listed, and sent again under a new ID', async () => {
  const { id, secret } = await firstCall();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9]{43}$/);
  const [first] = receiver.delivered;
  const body = JSON.parse(first!.raw.toString()) as Record<string, unknown>;
  expect(Object.keys(body)).toEqual([
    'transaction_id',
    'user_id',
    'reference_user_id',
    'type',
    'payload',
    'created_at',
  ]);
  expect(body).toMatchObject({
    transaction_id: id,
    reference_user_id: 'guest-1',
    type: COMPLETED,
    payload: {},
  });
  expect(id).toMatch(UUID);
  expect(body['user_id']).toMatch(/^bcu_/);
  expect(body['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(first!.headers['content-type']).toBe('application/json');
  expect(isSigned(first!, secret)).toBe(true);
  expect(isSigned(first!, 'whsec_other')).toBe(false);

  expect(await admin.configs()).toEqual([{ webhook_type: COMPLETED, destination_url: receiver.url }]);
  const call = await callOf(id);
  expect(Object.keys(call)).toEqual([
    'transaction_id',
    'webhook_type',
    'status',
    'attempts',
    'created_at',
    'next_attempt_at',
    'last_attempt_at',
    'completed_at',
  ]);
  expect(call).toMatchObject({ webhook_type: COMPLETED, attempts: 1, next_attempt_at: null });
  expect(await eventsOf(id)).toMatchObject([
    { attempt: 1, http_status: 200, response_body: '', network_failure: null },
  ]);

  const rerun = await admin.rerun(id);
  expect(rerun).toMatch(UUID);
  expect(rerun).not.toBe(id);
  await expect.poll(() => receiver.count(rerun), SOON).toBe(1);
  const again = receiver.delivered.at(-1)!;
  expect(JSON.parse(again.raw.toString())).toEqual({ ...body, transaction_id: rerun });
  expect(isSigned(again, secret)).toBe(true);
});

const containing = (text: string): unknown => expect.stringContaining(text);
const FAILURES: [string, Answer, object][] = [
  [
    '500',
    ({ response }) => void response.writeHead(500).end('broken'),
    { http_status: 500, response_body: 'broken' },
  ],
  [
    '301, which is not followed',
    ({ response }) => void response.writeHead(301, { location: '/elsewhere' }).end(),
    { http_status: 301, network_failure: null },
  ],
  [
    'a reset socket',
    ({ request }) => void request.socket.resetAndDestroy(),
    { http_status: null, network_failure: containing('ECONNRESET') },
  ],
  ['nothing at all', () => undefined, { http_status: null, network_failure: containing('15 s') }],
];
for (const [what, answer, event] of sized(FAILURES.slice(0, 1), FAILURES)) {
  test(`answered with ${what}, a call is retried a minute later, with the same bytes`, async () => {
    const { id: origin } = await firstCall();
    receiver.answerWith(answer);
    const id = await admin.rerun(origin);
    await expect.poll(async () => (await eventsOf(id)).length, SOON).toBe(1);
    expect((await eventsOf(id))[0]).toMatchObject({ attempt: 1, ...event });
    const call = await callOf(id);
    expect(call).toMatchObject({ status: 'PENDING', attempts: 1, completed_at: null });
    const waitMs = Date.parse(call.next_attempt_at!) - Date.parse(call.last_attempt_at!);
    expect(waitMs).toBeGreaterThanOrEqual(0.9 * MINUTE_MS);
    expect(waitMs).toBeLessThanOrEqual(1.1 * MINUTE_MS);
    receiver.answerWith(ok);
    await clock.advance(1.2 * MINUTE_MS);
    await expect.poll(async () => (await callOf(id)).status, SOON).toBe('COMPLETED');
    const [first, second] = receiver.delivered.filter(({ transactionId }) => transactionId === id);
    expect(second!.raw.equals(first!.raw)).toBe(true);
    expect(receiver.count(id)).toBe(2);
  });
}

test('410 ends the call, and later events are listed as failed calls until the destination is saved or rerun', async () => {
  const { id: origin } = await firstCall();
  receiver.answerWith(({ response }) => void response.writeHead(410).end());
  const id = await admin.rerun(origin);
  await expect.poll(async () => (await callOf(id)).status, SOON).toBe('FAILED');
  const before = (await admin.calls()).length;
  await passV2(gatehouse, key, 'guest-2');
  const [missed, ...earlier] = await admin.calls();
  expect(earlier).toHaveLength(before);
  expect(missed).toMatchObject({ status: 'FAILED', next_attempt_at: null });
  expect((await eventsOf(missed!.transaction_id))[0]).toMatchObject({
    network_failure: 'destination_gone',
    http_status: null,
  });
  const configs = async () => (await admin.raw('config/get', {})).body;
  expect(await configs()).toMatchObject([{ state: 'gone' }]);
  receiver.answerWith(ok);
  const again = await admin.rerun(missed!.transaction_id);
  await expect.poll(async () => (await callOf(again)).status, SOON).toBe('COMPLETED');
  expect(await configs()).toEqual([{ webhook_type: COMPLETED, destination_url: receiver.url }]);
  receiver.answerWith(({ response }) => void response.writeHead(410).end());
  await passV2(gatehouse, key, 'guest-3');
  await expect.poll(async () => (await admin.calls())[0]?.status, SOON).toBe('FAILED');
  receiver.answerWith(ok);
  await admin.save(receiver.url);
  await passV2(gatehouse, key, 'guest-4');
  await expect.poll(async () => (await admin.calls())[0]?.status, SOON).toBe('COMPLETED');
});

test('an invalid destination is refused with the reason', async () => {
  const save = (destination_url: string, webhook_type: string = COMPLETED) =>
    admin.raw('config/create_or_edit', { destination_url, webhook_type });
  for (const url of [
    'http://example.org/',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'nowhere',
  ]) {
    const { status, body } = await save(url);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'failure', failure_code: 'INVALID_REQUEST' });
    expect(body['failure_reason']).toContain('destination_url');
  }
  expect((await save(receiver.url, 'USER_BORN')).body).toMatchObject({ failure_code: 'INVALID_REQUEST' });
  expect((await admin.raw('config/delete', { webhook_type: COMPLETED })).status).toBe(404);
  expect((await admin.raw('call/rerun', { transaction_id: 'ewh:none' })).status).toBe(404);
  expect(await admin.configs()).toEqual([]);
  expect(await admin.calls()).toEqual([]);
  expect(await admin.events()).toEqual([]);
});

test('another key’s webhooks cannot be seen, and a call without a key is refused', async () => {
  const { id } = await firstCall();
  const other = webhookAdmin(gatehouse, (await newCompany(gatehouse, 'Other')).keys.ak_test);
  expect(await other.configs()).toEqual([]);
  expect(await other.calls()).toEqual([]);
  expect((await other.raw('call/rerun', { transaction_id: id })).status).toBe(404);
  const nobody = webhookAdmin(gatehouse, 'ak_test_unknown');
  expect((await nobody.raw('call/get')).body).toMatchObject({ failure_code: 'INVALID_API_KEY' });
  expect(await admin.remove()).toEqual({ status: 'success', webhook_type: COMPLETED });
  expect(await admin.configs()).toEqual([]);
});

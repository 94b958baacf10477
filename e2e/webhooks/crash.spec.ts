/** kill −9 at every step of a delivery: each call arrives at least once, under its own ID, and none is lost. */
import { expect, test } from '@playwright/test';
import { NIGHTLY, limitMs } from '../../testing/tier.ts';
import { testClock, MINUTE_MS, type TestClock } from '../support/service/clock.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import {
  ok,
  passV2,
  startWebhookReceiver,
  webhookAdmin,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

/** Longer than a claim lasts (25 s), after which another process takes it over. */
const CLAIM_PASSED_MS = 30_000;
const SOON = { timeout: limitMs(15_000) };
const ADDED = 4;

let gatehouse: Gatehouse;
let clock: TestClock;
let receiver: WebhookReceiver;
test.beforeEach(async () => {
  test.setTimeout(limitMs(45_000));
  clock = await testClock();
  receiver = await startWebhookReceiver();
  gatehouse = await startGatehouse({ env: { ...clock.env, GATEHOUSE_WEBHOOK_ALLOW_HOSTS: '127.0.0.1' } });
});
test.afterEach(async () => {
  await gatehouse.stop();
  await receiver.close();
  clock.remove();
});

/** One accepted call, and the administration of its key. */
async function ready() {
  const key = gatehouse.company.keys.ak_test;
  const admin = webhookAdmin(gatehouse, key);
  await admin.save(receiver.url);
  await passV2(gatehouse, key, 'guest-1');
  await expect.poll(async () => (await admin.calls())[0]?.status, SOON).toBe('COMPLETED');
  return { admin, origin: (await admin.calls())[0]!.transaction_id };
}

/** After a restart every acknowledged call is delivered, recorded as delivered, and unchanged. */
async function expectAllDelivered(admin: ReturnType<typeof webhookAdmin>, ids: readonly string[]) {
  await expect
    .poll(async () => {
      // Each time: a claim's age counts from when the new process first sees it.
      await clock.pass(CLAIM_PASSED_MS);
      const calls = await admin.calls();
      return ids.map((id) => calls.find(({ transaction_id }) => transaction_id === id)?.status);
    }, SOON)
    .toEqual(ids.map(() => 'COMPLETED'));
  for (const id of ids) {
    const came = receiver.delivered.filter(({ transactionId }) => transactionId === id);
    expect(came.length).toBeGreaterThanOrEqual(1);
    expect(new Set(came.map(({ raw }) => raw.toString())).size).toBe(1);
  }
  expect((await admin.calls()).filter(({ status }) => status === 'PENDING')).toEqual([]);
}

test('killed before the call is claimed', { tag: NIGHTLY }, async () => {
  const { admin, origin } = await ready();
  // The first failure delays it, so that it waits unclaimed.
  receiver.answerWith(({ response }) => void response.writeHead(503).end());
  const ids: string[] = [];
  for (let index = 0; index < ADDED; index++) ids.push(await admin.rerun(origin));
  await expect.poll(() => ids.filter((id) => receiver.count(id) > 0).length, SOON).toBeGreaterThan(0);
  ids.push(await admin.rerun(origin));
  await gatehouse.kill9();
  receiver.answerWith(ok);
  await clock.advance(3 * MINUTE_MS);
  await gatehouse.restart();
  await expectAllDelivered(admin, ids);
});

test('killed while the receiver holds the request', { tag: NIGHTLY }, async () => {
  const { admin, origin } = await ready();
  receiver.answerWith(() => undefined);
  const ids: string[] = [];
  for (let index = 0; index < ADDED; index++) ids.push(await admin.rerun(origin));
  await expect.poll(() => ids.filter((id) => receiver.count(id) > 0).length, SOON).toBe(ADDED);
  await gatehouse.kill9();
  receiver.answerWith(ok);
  await gatehouse.restart();
  await expectAllDelivered(admin, ids);
});

test('killed by the receiver as it answers, before the answer is recorded', async () => {
  const { admin, origin } = await ready();
  const killed: Promise<void>[] = [];
  receiver.answerWith(({ response }) => {
    if (killed.length === 0) killed.push(gatehouse.kill9());
    response.writeHead(200).end();
  });
  const ids = [await admin.rerun(origin).catch(() => null)].filter((id) => id !== null);
  await expect.poll(() => killed.length, SOON).toBe(1);
  await Promise.all(killed);
  receiver.answerWith(ok);
  await gatehouse.restart();
  await expectAllDelivered(admin, ids);
  // Whether or not the rerun was acknowledged, the delivered call is known and has ended.
  const known = (await admin.calls()).map(({ transaction_id }) => transaction_id);
  for (const { transactionId } of receiver.delivered) expect(known).toContain(transactionId);
});

import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Scope } from '../../domain/scope.ts';
import type { Database } from '../../store/sql/port.ts';
import { findWebhookCall } from '../../store/webhooks/calls.ts';
import { saveWebhookConfig } from '../../store/webhooks/configs.ts';
import { NOW, seedCompany } from '../../../testing/store/rows.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import {
  answered,
  queueCall,
  seedWebhook,
  testScheduler,
  WEBHOOK_TYPE,
} from '../../../testing/service/webhooks.ts';
import { newId } from '../ports/ids.ts';
import { callerBehind, issueFirstKeys, rollKeys } from '../keys/keys.ts';
import { removeDue, WEBHOOK_CALL_KEPT_DAYS } from '../people/retention-due.ts';
import { listConfigs, recentCalls, recentEvents } from './admin.ts';
import { allowHostsNow, saveAllowHosts } from './allow-list.ts';
import { rerunCall, rerunFailedSince, sendNow, sendTestEvent } from './rerun.ts';
import { listSecrets, rotateSecret, ROTATION_OVERLAP_MS } from './secrets.ts';

const scope: Scope = { companyId: 'acme', partition: 'live' };
const LINE = 'line-1';
const owner = { scope, lineageId: LINE };
const actor = 'operator:1';
const DAY_MS = 86_400_000;

async function openOutbox(): Promise<Database> {
  const db = await openTempStore();
  await seedCompany(db, 'acme');
  await seedWebhook(db, scope, LINE, 'https://one.example/hooks');
  return db;
}
async function bodyOf(db: Database, id: string): Promise<Record<string, unknown>> {
  const call = await findWebhookCall(db, scope, LINE, id);
  return JSON.parse(Buffer.from(call!.body).toString()) as Record<string, unknown>;
}
const fail = (db: Database, id: string) =>
  db.tx((tx) =>
    tx.run(`UPDATE webhook_calls SET status = 'FAILED', next_attempt_at = NULL WHERE transaction_id = ?`, id),
  );

it('a rotated secret signs immediately, and the old one is listed until its end', async () => {
  const db = await openOutbox();
  const clock = testClock();
  const [old] = await listSecrets(db, scope, LINE, NOW);
  await queueCall(db, scope, LINE);
  const [next, previous] = await rotateSecret(db, clock, { ...owner, actor });
  expect(next!.secret).not.toBe(old!.secret);
  expect(previous).toMatchObject({ secret: old!.secret, endsAt: NOW + ROTATION_OVERLAP_MS });
  const scheduler = testScheduler(db, clock, async () => answered(200));
  await scheduler.poll();
  await scheduler.idle();
  expect(scheduler.sent.map(({ body, headers }) => [headers['x-hub-signature-256'], body])).toEqual(
    scheduler.sent.map(({ body }) => [
      `sha256=${createHmac('sha256', next!.secret).update(body).digest('hex')}`,
      body,
    ]),
  );
  expect(scheduler.sent).toHaveLength(1);
  expect(await listSecrets(db, scope, LINE, NOW + ROTATION_OVERLAP_MS - 1)).toHaveLength(2);
  expect(await listSecrets(db, scope, LINE, NOW + ROTATION_OVERLAP_MS)).toEqual([next]);
});

it('a rerun is a separate call: a new ID in its bytes, the rest the same', async () => {
  const db = await openOutbox();
  const first = await queueCall(db, scope, LINE);
  const { transaction_id: again } = await rerunCall({ db, clock: testClock() }, owner, first, actor);
  expect(again).not.toBe(first);
  expect(await bodyOf(db, again)).toEqual({ ...(await bodyOf(db, first)), transaction_id: again });
});

it('§4.8: configurations are listed newest first, and a change makes none newer', async () => {
  const db = await openTempStore();
  await seedCompany(db, 'acme');
  const types = [
    'USER_VERIFICATION_DENIED',
    'USER_VERIFICATION_REVOKED',
    'USER_VERIFICATION_COMPLETED',
  ] as const;
  const save = (type: (typeof types)[number], changedAt: number) =>
    db.tx((tx) =>
      saveWebhookConfig(tx, scope, {
        id: newId(changedAt),
        lineageId: LINE,
        type,
        destinationUrl: `https://${changedAt}.example/`,
        changedAt,
      }),
    );
  await save(types[0], NOW);
  await save(types[1], NOW);
  await save(types[2], NOW + 1);
  await save(types[0], NOW + 2);
  expect((await listConfigs(db, owner)).map(({ webhook_type: type }) => type)).toEqual(types.toReversed());
});

it('"up to 50 recent calls" and "up to 50 recent call events", newest first, of its own key family only', async () => {
  const db = await openOutbox();
  await seedWebhook(db, scope, 'line-2', 'https://two.example/hooks');
  const ids: string[] = [];
  for (let n = 0; n < 52; n += 1) ids.push(await queueCall(db, scope, LINE, NOW + n));
  await queueCall(db, scope, 'line-2', NOW + 52);
  const clock = testClock(NOW + 100);
  const scheduler = testScheduler(db, clock, async () => answered(204));
  // A receiver has a few slots, so the calls go out in several turns.
  while (scheduler.sent.length < 53) {
    await scheduler.poll();
    await scheduler.idle();
  }
  expect(scheduler.errors).toEqual([]);
  const newest = ids.toReversed().slice(0, 50);
  expect((await recentCalls(db, owner)).map(({ transaction_id: id }) => id)).toEqual(newest);
  const events = await recentEvents(db, owner);
  expect(events).toHaveLength(50);
  expect(events.map(({ created_at: at }) => at)).toEqual(
    events
      .map(({ created_at: at }) => at)
      .toSorted()
      .reverse(),
  );
  expect(await recentCalls(db, { scope, lineageId: 'line-2' })).toHaveLength(1);
  expect(await recentEvents(db, { scope: { ...scope, partition: 'test' }, lineageId: LINE })).toEqual([]);
});

it('reruns only calls that failed permanently since the given time', async () => {
  const db = await openOutbox();
  const early = await queueCall(db, scope, LINE, NOW - 1);
  const failed = await queueCall(db, scope, LINE);
  await queueCall(db, scope, LINE);
  for (const id of [early, failed]) await fail(db, id);
  const { ids: made } = await rerunFailedSince({ db, clock: testClock() }, owner, NOW, actor);
  expect(made).toHaveLength(1);
  expect(await bodyOf(db, made[0]!)).toEqual({ ...(await bodyOf(db, failed)), transaction_id: made[0] });
});

/** Three calls, whose receiver answered once with 503. */
async function waitingOutbox() {
  const db = await openOutbox();
  const clock = testClock();
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push(await queueCall(db, scope, LINE));
  const answers: number[] = [];
  const scheduler = testScheduler(db, clock, async () => answered(answers.length === 0 ? 503 : 200));
  const deliver = async () => {
    await scheduler.poll();
    await scheduler.idle();
    return (await recentCalls(db, owner)).filter(({ status }) => status === 'COMPLETED').length;
  };
  await deliver();
  answers.push(200);
  return { db, clock, ids, deliver };
}

it('a waiting call is tried now under its own ID, and no copy is made', async () => {
  const { db, clock, ids, deliver } = await waitingOutbox();
  const before = await findWebhookCall(db, scope, LINE, ids[0]!);
  expect(before).toMatchObject({ status: 'PENDING', attempts: 1 });
  expect(before!.nextAttemptAt).toBeGreaterThan(NOW);
  expect(await sendNow({ db, clock }, owner, ids[0]!, actor)).toBe(ids[0]);
  await deliver();
  expect(await findWebhookCall(db, scope, LINE, ids[0]!)).toMatchObject({ status: 'COMPLETED', attempts: 2 });
  expect(await recentCalls(db, owner)).toHaveLength(3);
  const entry = "SELECT action FROM audit_entries WHERE action = 'webhook_call.try_now'";
  expect(await db.all(entry)).toHaveLength(1);
});

it('sending failed calls again tries those that wait, too, under their own IDs', async () => {
  const { db, clock, ids, deliver } = await waitingOutbox();
  await fail(db, ids[2]!);
  const sent = await rerunFailedSince({ db, clock }, owner, NOW, actor);
  expect(sent).toMatchObject({ ids: [expect.any(String)], waiting: 2 });
  expect(await recentCalls(db, owner)).toHaveLength(4);
  for (let poll = 0; poll < 4; poll += 1) await deliver();
  expect(await deliver()).toBe(3);
});

it('a test event is about nobody, and requires a configuration', async () => {
  const db = await openOutbox();
  const deps = { db, clock: testClock() };
  const id = await sendTestEvent(deps, owner, WEBHOOK_TYPE, actor);
  expect(await bodyOf(db, id)).toMatchObject({ user_id: 'bcu_test', type: WEBHOOK_TYPE });
  await expect(sendTestEvent(deps, { scope, lineageId: 'other' }, WEBHOOK_TYPE, actor)).rejects.toMatchObject(
    { code: 'webhook_not_found' },
  );
});

it('the saved allow list applies immediately, in addition to the environment', async () => {
  const db = await openOutbox();
  await saveAllowHosts(db, testClock(), { hosts: [' Intern.Example ', 'intern.example'], actor });
  expect([...(await allowHostsNow(db, ['10.0.0.1']))]).toEqual(['10.0.0.1', 'intern.example']);
});

it('a configuration and its secret follow a key roll', async () => {
  const db = await openTempStore();
  await seedCompany(db, 'acme');
  const clock = testClock();
  const issued = await db.tx((tx) => issueFirstKeys(tx, 'acme', NOW));
  const before = (await callerBehind(db, issued.ak_live, NOW))!;
  await seedWebhook(db, scope, before.lineageId, 'https://one.example/');
  const configs = await listConfigs(db, before);
  const secrets = await listSecrets(db, scope, before.lineageId, NOW);
  const request = {
    companyId: 'acme',
    pairId: before.pairId,
    overlap: 'now',
    reason: 'test',
    actor,
  } as const;
  const rolled = await db.tx((tx) => rollKeys(tx, clock.now(), request));
  expect(await callerBehind(db, issued.ak_live, NOW)).toBeNull();
  const after = (await callerBehind(db, rolled!.keys.ak_live!, NOW))!;
  expect(after.keyId).not.toBe(before.keyId);
  expect(await listConfigs(db, after)).toEqual(configs);
  expect(await listSecrets(db, scope, after.lineageId, NOW)).toEqual(secrets);
  const id = await queueCall(db, scope, after.lineageId);
  expect(await findWebhookCall(db, scope, after.lineageId, id)).toMatchObject({ status: 'PENDING' });
});

it('the store keeps one configuration per key family and type, and one event per transaction and attempt', async () => {
  const db = await openOutbox();
  const id = await queueCall(db, scope, LINE);
  const config = () =>
    db.tx((tx) =>
      tx.run(
        `INSERT INTO webhook_configs (id, company_id, partition, key_lineage_id, webhook_type, destination_url,
           created_at, changed_at) VALUES ('second', 'acme', 'live', ?, ?, 'https://two.example/', 0, 0)`,
        LINE,
        WEBHOOK_TYPE,
      ),
    );
  const event = () =>
    db.tx((tx) =>
      tx.run(
        `INSERT INTO webhook_events (company_id, partition, key_lineage_id, transaction_id, attempt, destination_url,
           duration_ms, created_at) VALUES ('acme', 'live', ?, ?, 1, 'https://one.example/', 0, 0)`,
        LINE,
        id,
      ),
    );
  await expect(config()).rejects.toThrow('webhook_configs_type');
  await event();
  await expect(event()).rejects.toThrow('webhook_events_transaction_id_attempt_key');
});

it('the nightly job removes calls that ended long ago, over several batches, and never a waiting one', async () => {
  const db = await openOutbox();
  const clock = testClock();
  const before = NOW - WEBHOOK_CALL_KEPT_DAYS * DAY_MS;
  const waiting = await queueCall(db, scope, LINE, before - 1);
  const young = await queueCall(db, scope, LINE, before);
  await fail(db, young);
  const old = await queueCall(db, scope, LINE, before - 1);
  await fail(db, old);
  await db.tx((tx) =>
    tx.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
       INSERT INTO webhook_calls (transaction_id, company_id, partition, key_lineage_id, webhook_type,
         destination_url, origin, body, status, created_at)
       SELECT 'old-' || i, company_id, partition, key_lineage_id, webhook_type, destination_url, origin, body,
         'FAILED', created_at FROM webhook_calls, n WHERE transaction_id = ?`,
      old,
    ),
  );
  await removeDue(db, clock, clock.deletionTime(), 'system');
  const left = await db.all<{ id: string }>('SELECT transaction_id AS id FROM webhook_calls ORDER BY seq');
  expect(left.map(({ id }) => id)).toEqual([waiting, young]);
});

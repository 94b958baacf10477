import { expect, it } from 'vitest';
import { MAX_ATTEMPTS } from '../../domain/webhooks/backoff.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Database } from '../../store/sql/port.ts';
import { findWebhookCall, type WebhookCall } from '../../store/webhooks/calls.ts';
import { findWebhookConfig } from '../../store/webhooks/configs.ts';
import { saveDestinationHealth } from '../../store/webhooks/destinations.ts';
import { listWebhookEvents } from '../../store/webhooks/events.ts';
import { claimDueCalls } from '../../store/webhooks/outbox.ts';
import { NOW, seedCompany } from '../../../testing/store/rows.ts';
import { onSqlite, openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import {
  answered,
  queueCall,
  seedWebhook,
  testScheduler,
  WEBHOOK_TYPE,
} from '../../../testing/service/webhooks.ts';
import { listDestinations, pauseDestination, resumeDestination } from './destinations.ts';
import { LEASE_MS } from './outbox.ts';
import type { SendResult } from './send.ts';

const scope: Scope = { companyId: 'acme', partition: 'live' };
const LINE = 'line-1';
const URL_1 = 'https://one.example/hooks';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

async function openOutbox(dir = tempDir()): Promise<Database> {
  const db = await openTempStore(dir);
  await seedCompany(db, 'acme');
  await seedWebhook(db, scope, LINE, URL_1);
  return db;
}
const read = async (db: Database, id: string): Promise<WebhookCall> =>
  (await findWebhookCall(db, scope, LINE, id))!;
const eventsOf = (db: Database, transactionId: string) =>
  listWebhookEvents(db, scope, LINE, { limit: 50, beforeSeq: null, transactionId });
/** An attempt that ends when the test tells it to. */
function heldSend() {
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  return { send: () => promise, end: (result = answered(200)) => resolve(result) };
}

it('follows the whole schedule: sixteen attempts, each at its time and not before, with the same bytes', async () => {
  const db = await openOutbox();
  const clock = testClock();
  const scheduler = testScheduler(db, clock, async () => answered(500));
  const id = await queueCall(db, scope, LINE);
  const waitsMin = [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360, 360, 360, 360];
  for (const [index, minutes] of waitsMin.entries()) {
    await scheduler.poll();
    await scheduler.idle();
    expect(await read(db, id)).toMatchObject({ status: 'PENDING', attempts: index + 1 });
    clock.advance(minutes * MINUTE_MS - 1);
    await scheduler.poll();
    expect(scheduler.sent).toHaveLength(index + 1);
    clock.advance(1);
  }
  await scheduler.poll();
  await scheduler.idle();
  expect(await read(db, id)).toMatchObject({ status: 'FAILED', attempts: MAX_ATTEMPTS, nextAttemptAt: null });
  clock.advance(DAY_MS);
  await scheduler.poll();
  expect(scheduler.sent).toHaveLength(MAX_ATTEMPTS);
  expect(new Set(scheduler.sent.map(({ body }) => Buffer.from(body).toString())).size).toBe(1);
  const attempts = (await eventsOf(db, id)).map(({ attempt }) => attempt);
  expect(attempts).toEqual(Array.from({ length: MAX_ATTEMPTS }, (_, index) => MAX_ATTEMPTS - index));
  expect(scheduler.errors).toEqual([]);
});

it('completes on a 2xx and sends nothing more', async () => {
  const db = await openOutbox();
  const clock = testClock();
  const scheduler = testScheduler(db, clock, async () => answered(204));
  const id = await queueCall(db, scope, LINE);
  await scheduler.poll();
  await scheduler.idle();
  expect(await read(db, id)).toMatchObject({
    status: 'COMPLETED',
    attempts: 1,
    completedAt: NOW,
    nextAttemptAt: null,
  });
  clock.advance(DAY_MS);
  await scheduler.poll();
  expect(scheduler.sent).toHaveLength(1);
});

it('grants a receiver the time that it asks for', async () => {
  const db = await openOutbox();
  const scheduler = testScheduler(db, testClock(), async () => answered(429, '600'));
  const id = await queueCall(db, scope, LINE);
  await scheduler.poll();
  await scheduler.idle();
  expect((await read(db, id)).nextAttemptAt).toBe(NOW + 10 * MINUTE_MS);
});

it('410 ends the call and all that are waiting with it, and disables the configuration', async () => {
  const db = await openOutbox();
  const scheduler = testScheduler(db, testClock(), async () => answered(410));
  const ids = [];
  for (let index = 0; index < 6; index++) ids.push(await queueCall(db, scope, LINE));
  await scheduler.poll();
  await scheduler.idle();
  await scheduler.poll();
  expect(scheduler.sent.length).toBeLessThanOrEqual(4);
  for (const id of ids) expect((await read(db, id)).status).toBe('FAILED');
  expect(await findWebhookConfig(db, scope, LINE, WEBHOOK_TYPE)).toMatchObject({ disabledAt: NOW });
});

it('claims no more calls than it has slots for, however the engine plans the statement', async () => {
  const db = await openOutbox();
  for (let index = 0; index < 30; index++) await queueCall(db, scope, LINE);
  const claims = await db.tx(async (tx) => {
    // PostgreSQL evaluates a subquery again for each row of a nested loop.
    for (const plan of onSqlite ? [] : ['hashjoin', 'mergejoin', 'hashagg', 'material', 'sort'])
      await tx.run(`SET LOCAL enable_${plan} = off`);
    return claimDueCalls(
      tx,
      { ...scope, origin: new URL(URL_1).origin },
      { owner: 'a', nowMs: NOW, leaseUntil: NOW + MINUTE_MS, limit: 4 },
    );
  });
  expect(claims).toHaveLength(4);
});

it('two processes on one database never make the same attempt', async () => {
  const dir = tempDir();
  const first = await openOutbox(dir);
  const second = await openTempStore(dir);
  const clock = testClock();
  for (let index = 0; index < 8; index++) {
    await seedWebhook(first, scope, `line-${index}`, `https://r${index}.example/`);
    for (let call = 0; call < 6; call++) await queueCall(first, scope, `line-${index}`);
  }
  const made: string[] = [];
  const send = async ({ body }: { body: Uint8Array }) => {
    const { transaction_id: id } = JSON.parse(Buffer.from(body).toString()) as { transaction_id: string };
    made.push(id);
    await new Promise((resolve) => setImmediate(resolve));
    // Every call fails once.
    return answered(made.filter((other) => other === id).length === 1 ? 503 : 200);
  };
  const schedulers = [testScheduler(first, clock, send), testScheduler(second, clock, send)];
  for (let round = 0; round < 12; round++) {
    await Promise.all(schedulers.map((scheduler) => scheduler.poll()));
    await Promise.all(schedulers.map((scheduler) => scheduler.idle()));
    clock.advance(2 * MINUTE_MS);
  }
  const counts = new Map<string, number>();
  for (const id of made) counts.set(id, (counts.get(id) ?? 0) + 1);
  expect(counts.size).toBe(48);
  expect([...counts.values()].every((count) => count === 2)).toBe(true);
  expect(schedulers.every(({ sent }) => sent.length > 0)).toBe(true);
  expect(schedulers.flatMap(({ errors }) => errors)).toEqual([]);
});

it('takes over the claims of a killed process after the lease, and counts its attempt', async () => {
  const dir = tempDir();
  const db = await openOutbox(dir);
  const id = await queueCall(db, scope, LINE);
  const lost = heldSend();
  const gone = testScheduler(db, testClock(), lost.send);
  await gone.poll();

  const next = testScheduler(await openTempStore(dir), testClock(), async () => answered(200));
  await next.poll();
  next.steady.advance(LEASE_MS - 1);
  await next.poll();
  expect(next.sent).toHaveLength(0);
  next.steady.advance(1);
  await next.poll();
  await next.idle();
  expect(await read(db, id)).toMatchObject({ status: 'COMPLETED', attempts: 2 });
  expect((await eventsOf(db, id)).at(-1)).toMatchObject({ attempt: 1, httpStatus: null });

  // The process was only slow; its late result changes nothing.
  lost.end(answered(500));
  await gone.idle();
  expect(await read(db, id)).toMatchObject({ status: 'COMPLETED', attempts: 2 });
  expect(await eventsOf(db, id)).toHaveLength(2);
});

it.each([
  ['forward', 10 * DAY_MS],
  ['back', -10 * DAY_MS],
])('a clock set %s takes no claim away from a running process', async (_direction, leapMs) => {
  const dir = tempDir();
  const db = await openOutbox(dir);
  const id = await queueCall(db, scope, LINE);
  const held = heldSend();
  const clock = testClock();
  const working = testScheduler(db, clock, held.send);
  const other = testScheduler(await openTempStore(dir), clock, async () => answered(200));
  await working.poll();
  await other.poll();
  clock.advance(leapMs);
  await other.poll();
  expect(other.sent).toHaveLength(0);
  held.end();
  await working.idle();
  expect(await read(db, id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
});

it('a clock set back delays nothing by more than its own wait', async () => {
  const db = await openOutbox();
  const clock = testClock();
  const scheduler = testScheduler(db, clock, async () => answered(scheduler.sent.length < 3 ? 500 : 200));
  const id = await queueCall(db, scope, LINE);
  for (let attempt = 0; attempt < 2; attempt++) {
    await scheduler.poll();
    await scheduler.idle();
    clock.set(NOW + 10 * DAY_MS * attempt + MINUTE_MS);
  }
  clock.set(NOW - 10 * DAY_MS);
  await scheduler.poll();
  expect(scheduler.sent).toHaveLength(2);
  clock.advance(2 * MINUTE_MS);
  await scheduler.poll();
  await scheduler.idle();
  expect(await read(db, id)).toMatchObject({ status: 'COMPLETED', attempts: 3 });
});

it('a receiver that hangs blocks no other, and only a few of its own', async () => {
  const db = await openOutbox();
  const held = heldSend();
  const clock = testClock();
  const scheduler = testScheduler(db, clock, (request) =>
    request.url === URL_1 ? held.send() : Promise.resolve(answered(200)),
  );
  for (let index = 0; index < 30; index++) await queueCall(db, scope, LINE);
  await seedWebhook(db, scope, 'line-2', 'https://two.example/');
  const healthy: string[] = [];
  for (let index = 0; index < 20; index++) healthy.push(await queueCall(db, scope, 'line-2'));
  const healthyStatuses = async () => {
    await scheduler.poll();
    const calls = await Promise.all(healthy.map((id) => findWebhookCall(db, scope, 'line-2', id)));
    return new Set(calls.map((call) => call?.status));
  };
  await expect.poll(healthyStatuses).toEqual(new Set(['COMPLETED']));
  expect(scheduler.sent.filter(({ url }) => url === URL_1)).toHaveLength(4);
  held.end(answered(null));
  await scheduler.idle();
  // Once it has failed, it gets one call at a time.
  await scheduler.poll();
  await scheduler.idle();
  expect(scheduler.sent.filter(({ url }) => url === URL_1)).toHaveLength(5);
});

it('pauses a receiver after three days of failures, shows it, and continues when it is resumed', async () => {
  const db = await openOutbox();
  const clock = testClock();
  let status = 500;
  const scheduler = testScheduler(db, clock, async () => answered(status));
  const destinations = () => listDestinations(db, scope);
  const turn = async () => {
    await scheduler.poll();
    await scheduler.idle();
  };
  for (let hour = 0; hour <= 72; hour += 6) {
    await queueCall(db, scope, LINE, clock.now());
    await turn();
    clock.advance(6 * 60 * MINUTE_MS);
  }
  expect(await destinations()).toMatchObject([{ origin: 'https://one.example', state: 'paused' }]);
  const audit = () =>
    db.all(`SELECT actor, action FROM audit_entries WHERE action LIKE 'webhook_destination.%' ORDER BY seq`);
  expect(await audit()).toEqual([{ actor: 'system', action: 'webhook_destination.pause' }]);

  const before = scheduler.sent.length;
  const waiting = await queueCall(db, scope, LINE, clock.now());
  await turn();
  expect(scheduler.sent).toHaveLength(before);
  expect((await read(db, waiting)).status).toBe('PENDING');

  status = 200;
  const origin = 'https://one.example';
  await resumeDestination(db, clock, { scope, origin, actor: 'operator:1' });
  for (let round = 0; round < 10; round++) await turn();
  expect(await destinations()).toMatchObject([{ state: 'working', pending: 0 }]);
  expect((await read(db, waiting)).status).toBe('COMPLETED');
  await pauseDestination(db, clock, { scope, origin, actor: 'operator:1' });
  expect((await audit()).slice(1)).toEqual([
    { actor: 'operator:1', action: 'webhook_destination.resume' },
    { actor: 'operator:1', action: 'webhook_destination.pause' },
  ]);
});

it('nodes whose attempts fail at the same time pause a receiver once', async () => {
  const dir = tempDir();
  const nodes = [await openOutbox(dir), await openTempStore(dir), await openTempStore(dir)];
  const [db] = nodes as [Database];
  const held = heldSend();
  const schedulers = [...nodes, ...nodes].map((node) => testScheduler(node, testClock(), held.send));
  for (const _ of schedulers) await queueCall(db, scope, LINE);
  await db.tx((tx) =>
    saveDestinationHealth(tx, scope, new URL(URL_1).origin, {
      failingSince: NOW - 3 * DAY_MS,
      lastFailureAt: NOW - MINUTE_MS,
      lastSuccessAt: null,
      pausedAt: null,
    }),
  );
  for (const scheduler of schedulers) await scheduler.poll();
  await expect.poll(() => schedulers.map(({ sent }) => sent.length)).toEqual(schedulers.map(() => 1));
  held.end(answered(500));
  await Promise.all(schedulers.map((scheduler) => scheduler.idle()));
  expect(schedulers.flatMap(({ errors }) => errors)).toEqual([]);
  const pauses = `SELECT actor FROM audit_entries WHERE action = 'webhook_destination.pause'`;
  expect(await db.all(pauses)).toEqual([{ actor: 'system' }]);
});

it('finishes attempts in progress when it closes, and claims nothing more', async () => {
  const db = await openOutbox();
  const held = heldSend();
  const scheduler = testScheduler(db, testClock(), held.send);
  const id = await queueCall(db, scope, LINE);
  await scheduler.poll();
  const closed = scheduler.close();
  const late = await queueCall(db, scope, LINE);
  await scheduler.poll();
  held.end();
  await closed;
  expect((await read(db, id)).status).toBe('COMPLETED');
  expect(await read(db, late)).toMatchObject({ status: 'PENDING', attempts: 0 });
});

/** Decisions §4.9: a destination that no longer gets calls says so. */
import { expect, it } from 'vitest';
import { PAUSE_AFTER_MS } from '../../domain/webhooks/backoff.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Database } from '../../store/sql/port.ts';
import { findWebhookCall } from '../../store/webhooks/calls.ts';
import { saveDestinationHealth } from '../../store/webhooks/destinations.ts';
import { NOW, seedCompany } from '../../../testing/store/rows.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { type TestClock, testClock } from '../../../testing/service/temp-service.ts';
import {
  answered,
  queueCall,
  seedWebhook,
  testScheduler,
  WEBHOOK_TYPE,
} from '../../../testing/service/webhooks.ts';
import { createOrEditConfig, deleteConfig, listConfigs, recentCalls, recentEvents } from './admin.ts';
import { listDestinations, pauseDestination, resumeDestination } from './destinations.ts';
import { troubledReceivers } from './manage.ts';
import { rerunCall, rerunFailedSince, sendTestEvent } from './rerun.ts';

const scope: Scope = { companyId: 'acme', partition: 'live' };
const LINE = 'line-1';
const owner = { scope, lineageId: LINE };
const actor = 'operator:1';
const destination_url = 'https://one.example/hooks';
const { origin } = new URL(destination_url);

function webhooksOf(db: Database, clock: TestClock) {
  const policy = async () => ({
    allowHosts: new Set<string>(),
    ownAddresses: new Set<string>(),
    ownPorts: new Set<number>(),
  });
  const deps = { db, clock, webhooks: { policy, close: async () => undefined } };
  return {
    deps,
    save: () => createOrEditConfig(deps, owner, { webhook_type: WEBHOOK_TYPE, destination_url }, actor),
    deliver: async (status: number) => {
      const scheduler = testScheduler(db, clock, async () => answered(status));
      await scheduler.poll();
      await scheduler.idle();
      return scheduler.sent.length;
    },
  };
}

async function openOutbox() {
  const db = await openTempStore();
  await seedCompany(db, 'acme');
  await seedWebhook(db, scope, LINE, destination_url);
  return { db, ...webhooksOf(db, testClock()) };
}

/** The receiver has answered 410 to a first call. */
async function openGone() {
  const outbox = await openOutbox();
  await queueCall(outbox.db, scope, LINE);
  await outbox.deliver(410);
  return outbox;
}

const latestEvent = async (db: Database, id: string) =>
  (await recentEvents(db, owner)).find(({ transaction_id }) => transaction_id === id);

it('a later event of a destination that is gone is a failed call that says destination_gone', async () => {
  const { db, deliver } = await openGone();
  const id = await queueCall(db, scope, LINE);
  expect((await recentCalls(db, owner))[0]).toMatchObject({
    transaction_id: id,
    status: 'FAILED',
    attempts: 1,
    next_attempt_at: null,
  });
  expect(await latestEvent(db, id)).toMatchObject({
    network_failure: 'destination_gone',
    http_status: null,
    attempt: 1,
  });
  expect(await deliver(200)).toBe(0);
});

it('calls that were waiting when the receiver answered 410 say destination_gone', async () => {
  const { db, deliver } = await openOutbox();
  const ids = [];
  for (let count = 0; count < 8; count += 1) ids.push(await queueCall(db, scope, LINE));
  const sent = await deliver(410);
  const failures = await Promise.all(ids.map(async (id) => (await latestEvent(db, id))?.network_failure));
  expect(failures.filter((failure) => failure === 'destination_gone')).toHaveLength(8 - sent);
});

it('calls that were waiting when the destination was deleted say destination_deleted', async () => {
  const { db, deps } = await openOutbox();
  const id = await queueCall(db, scope, LINE);
  await deleteConfig(deps, owner, WEBHOOK_TYPE, actor);
  expect(await latestEvent(db, id)).toMatchObject({ network_failure: 'destination_deleted', attempt: 1 });
});

it('config/get and the console say that a destination is gone, and that it is active again', async () => {
  const { db, save } = await openGone();
  const state = async () => (await listConfigs(db, owner)).map(({ state: found }) => found ?? 'active');
  expect(await listConfigs(db, owner)).toMatchObject([
    { state: 'gone', gone_at: new Date(NOW).toISOString() },
  ]);
  expect(await troubledReceivers(db, scope)).toMatchObject([{ origin, state: 'gone' }]);
  await save();
  expect(await state()).toEqual(['active']);
  expect(await troubledReceivers(db, scope)).toEqual([]);
  await pauseDestination(db, testClock(), { scope, origin, actor });
  expect(await state()).toEqual(['paused']);
});

it.each([
  ['saved again', ({ save }) => save()],
  ['resumed', ({ db, deps }) => resumeDestination(db, deps.clock, { scope, origin, actor })],
  ['sent one call again', ({ deps }, id) => rerunCall(deps, owner, id, actor)],
  ['sent all failed calls again', ({ deps }) => rerunFailedSince(deps, owner, 0, actor)],
] satisfies [string, (outbox: Awaited<ReturnType<typeof openGone>>, id: string) => Promise<unknown>][])(
  'a destination that is gone is taken up again: %s',
  async (_, takeUp) => {
    const outbox = await openGone();
    const missed = await queueCall(outbox.db, scope, LINE);
    await takeUp(outbox, missed);
    const id = await queueCall(outbox.db, scope, LINE);
    await outbox.deliver(200);
    expect((await findWebhookCall(outbox.db, scope, LINE, id))?.status).toBe('COMPLETED');
  },
);

it('a test event to a destination that is gone is refused', async () => {
  const { deps } = await openGone();
  await expect(sendTestEvent(deps, owner, WEBHOOK_TYPE, actor)).rejects.toMatchObject({
    code: 'webhook_not_found',
  });
});

it.each([
  ['saving', ({ save }) => save()],
  ['a rerun', ({ deps }, id) => rerunCall(deps, owner, id, actor)],
] satisfies [string, (outbox: Awaited<ReturnType<typeof openGone>>, id: string) => Promise<unknown>][])(
  '%s resumes a receiver that was paused for its failures, and not one that an operator paused',
  async (_, takeUp) => {
    const outbox = await openOutbox();
    const { db } = outbox;
    const id = await queueCall(db, scope, LINE);
    const paused = (pausedAt: number) =>
      db.tx((tx) =>
        saveDestinationHealth(tx, scope, origin, {
          failingSince: NOW - PAUSE_AFTER_MS,
          lastFailureAt: NOW,
          lastSuccessAt: null,
          pausedAt,
        }),
      );
    const state = async () => (await listDestinations(db, scope))[0]?.state;
    await paused(NOW - 1);
    await takeUp(outbox, id);
    expect(await state()).toBe('paused');
    await paused(NOW);
    await takeUp(outbox, id);
    expect(await state()).toBe('working');
  },
);

import { expect, it } from 'vitest';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { saveDestinationHealth } from '../../store/webhooks/destinations.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { queueCall, seedWebhook, WEBHOOK_TYPE } from '../../../testing/service/webhooks.ts';
import { issuePair } from '../keys/keys.ts';
import { deleteConfig } from './admin.ts';
import { pauseDestination } from './destinations.ts';
import { rotateSecret, showSecrets } from './secrets.ts';
import { listCalls, listLines, ownedLine, readCall, readLine, troubledReceivers } from './manage.ts';

const URL_A = 'https://tickets.example/hooks';
const ACTOR = 'operator:ada';

async function lineWithWebhook() {
  const service = await openTestService();
  service.clock.advance(1);
  const scope = service.scope('live');
  const request = { scope, type: 'connect', reason: 'ticketing', actor: ACTOR } as const;
  const { pairId: lineageId } = await service.deps.db.tx((tx) => issuePair(tx, service.clock.now(), request));
  await seedWebhook(service.deps.db, scope, lineageId, URL_A);
  return { ...service, db: service.deps.db, live: scope, lineageId };
}

it('API-KEY families are listed, newest first, and pairs of v3 are not', async () => {
  const { deps, live, lineageId } = await lineWithWebhook();
  const { items } = await listLines(deps, live, {});
  expect(items).toHaveLength(2);
  expect(items[0]).toMatchObject({ lineage_id: lineageId, works: true, destinations: 1 });
  expect(items[0]?.displays[0]).toMatch(/^ak_live_…/);
});

it('a family of another partition is not found', async () => {
  const { deps, scope, lineageId } = await lineWithWebhook();
  await expect(readLine(deps, scope('test'), lineageId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(ownedLine(deps, scope('test'), lineageId)).rejects.toMatchObject({ code: 'not_found' });
});

it('a key family’s secrets are shown only on request, and the request is recorded', async () => {
  const { deps, db, clock, live, lineageId } = await lineWithWebhook();
  const owner = { scope: live, lineageId };
  expect(JSON.stringify(await readLine(deps, live, lineageId))).not.toContain('whsec_');
  const [secret] = await showSecrets(db, clock, { ...owner, actor: ACTOR });
  expect(secret?.secret).toMatch(/^whsec_/);
  await rotateSecret(db, clock, { ...owner, overlapMs: 3_600_000, reason: 'leaked', actor: ACTOR });
  expect((await readLine(deps, live, lineageId)).secrets.map(({ version }) => version)).toEqual([2, 1]);
  clock.advance(3_600_000);
  expect((await readLine(deps, live, lineageId)).secrets.map(({ version }) => version)).toEqual([2]);
  const entries = await listAuditEntries(db, { action: 'webhook_secret.*' }, null, 5);
  expect(entries.map(({ action }) => action)).toEqual(['webhook_secret.rotate', 'webhook_secret.show']);
  expect(entries[0]?.details).toContain('leaked');
  expect(entries[1]?.details).not.toContain('whsec_');
});

it('calls are listed by page and status, each with its request body', async () => {
  const { db, clock, live, lineageId } = await lineWithWebhook();
  const owner = { scope: live, lineageId };
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) made.unshift(await queueCall(db, live, lineageId));
  const first = await listCalls(db, owner, { limit: 3 });
  const second = await listCalls(db, owner, { limit: 3, cursor: first.next_cursor ?? '' });
  expect([...first.items, ...second.items].map(({ transaction_id }) => transaction_id)).toEqual(made);
  const detail = await readCall(db, owner, made[0]!);
  expect(JSON.parse(detail.body)).toMatchObject({ transaction_id: made[0], type: WEBHOOK_TYPE });
  expect(detail.attempts).toEqual([]);
  await deleteConfig({ db, clock }, owner, WEBHOOK_TYPE, ACTOR, 'the shop has closed');
  expect((await listCalls(db, owner, { status: 'PENDING' })).items).toEqual([]);
  expect((await listCalls(db, owner, { status: 'FAILED', limit: 10 })).items).toHaveLength(5);
  const [entry] = await listAuditEntries(db, { action: 'webhook_config.delete' }, null, 1);
  expect(entry?.details).toContain('the shop has closed');
});

it('failing and paused receivers are shown with their waiting calls', async () => {
  const { deps, db, clock, live, lineageId } = await lineWithWebhook();
  await queueCall(db, live, lineageId);
  expect(await troubledReceivers(db, live)).toEqual([]);
  const origin = new URL(URL_A).origin;
  await db.tx((tx) =>
    saveDestinationHealth(tx, live, origin, {
      failingSince: clock.now(),
      lastFailureAt: clock.now(),
      lastSuccessAt: null,
      pausedAt: null,
    }),
  );
  expect(await troubledReceivers(db, live)).toMatchObject([{ origin, state: 'failing', pending: 1 }]);
  await pauseDestination(db, clock, { scope: live, origin, actor: ACTOR, reason: 'they move house' });
  expect(await troubledReceivers(db, live)).toMatchObject([{ origin, state: 'paused' }]);
  expect((await readLine(deps, live, lineageId)).destinations).toMatchObject([
    { webhook_type: WEBHOOK_TYPE, receiver: { state: 'paused' } },
  ]);
});

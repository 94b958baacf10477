/** Webhooks of v3: who gets which event, with what, and what happens to a webhook. */
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { Value } from 'typebox/value';
import { answered, openReceiver, testScheduler } from '../../../testing/service/webhooks.ts';
import { passOf, run, startRun } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { EVENT_DATA, type WebhookCreate } from '../../contract/v3-webhooks.ts';
import { V3_EVENTS, type V3Event } from '../../contract/webhook-types.ts';
import { createFastify } from '../../http/public-app.ts';
import { v3Routes } from '../../routes/v3/index.ts';
import type { SqlReader, SqlValue } from '../../store/sql/port.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { setSessionLock } from '../passes/actions.ts';
import { settleTestPass } from '../passes/test-token.ts';
import { lockConfirmation } from '../passes/lock.ts';
import { overrideSession } from '../passes/actions.ts';
import { decideOwnReview } from '../reviews/reviews.ts';
import { disconnect } from '../runs/my-verifications.ts';
import { settleDeclined } from '../settling/settlement.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { sendWebhook } from './send.ts';
import { createWebhook, listWebhooks, readWebhook, removeWebhook, updateWebhook } from './v3-webhooks.ts';
import { listMessages, readMessage, replayMessages, sendSample } from './v3-messages.ts';

const URL_ = 'https://shop.example/hooks';
const actor = 'key:k';

async function openHooked(body: Partial<WebhookCreate> = {}, partition: 'live' | 'test' = 'test') {
  const service = await openTestService();
  const scope = service.scope(partition);
  const by = { scope, actor } as const;
  const made = await createWebhook(service.deps, by, { url: URL_, ...body });
  const bodies = async (): Promise<{ type: V3Event; timestamp: string; data: Record<string, unknown> }[]> => {
    const { items } = await listMessages(service.deps.db, scope, made.webhook_id, { limit: 200 });
    const read = await Promise.all(
      items.map(({ message_id: id }) => readMessage(service.deps.db, scope, made.webhook_id, id)),
    );
    return read.toReversed().map((message) => JSON.parse(message.body) as never);
  };
  return { ...service, scope: service.scope, own: scope, by, made, bodies };
}

describe('each event is queued with what it reports', () => {
  const told = async (
    what: V3Event,
    act: (
      service: TestService & { own: { companyId: string; partition: 'test' | 'live' } },
    ) => Promise<unknown>,
  ) => {
    const service = await openHooked({ events: [what] });
    await act(service);
    const bodies = await service.bodies();
    for (const { type, data, timestamp } of bodies) {
      expect(type).toBe(what);
      expect(Value.Errors(EVENT_DATA[what], data)).toEqual([]);
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(JSON.stringify(data)).not.toContain('@');
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(20_000);
    }
    return bodies.map(({ data }) => data);
  };
  const REVIEW = { collision: { action: 'review' } };

  it('run.settled: of a check, a denial, an earlier pass and a test token', async () => {
    const settled = await told('run.settled', async (service) => {
      const first = { external_id: 'a', email: 'a@shop.example' };
      await run(service, 'alice', first);
      await startRun(service, first);
      await run(service, 'alice', { external_id: 'b', config: { skip: { window_hours: 0 } } });
      const declined = await startRun(service, { external_id: 'c' });
      await settleDeclined(service.deps, declined, undefined, async () => undefined);
      await settleTestPass(service.deps, await service.caller('sk_test'), {});
    });
    expect(settled).toMatchObject([
      { external_id: 'a', status: 'approved', verified: true, is_test: true },
      { external_id: 'a', verified: true },
      { external_id: 'b', status: 'denied', verified: false },
      { external_id: 'c', declined: true, reasons: ['declined'] },
      { session_id: null, status: 'approved' },
    ]);
  });

  it('run.settled again, if staff replaces the verdict', async () => {
    const settled = await told('run.settled', async (service) => {
      const { session_id: id } = await run(service, 'alice', { external_id: 'a' });
      await overrideSession(service.deps, service.own, id, { decision: 'deny', reason: 'r', actor: 'cli' });
    });
    expect(settled).toMatchObject([{ verified: true }, { verified: false, reasons: ['manual_override'] }]);
  });

  it('run.review_opened and review.decided', async () => {
    const act = async (service: TestService) => {
      await run(service, 'alice', { external_id: 'a' });
      const second = await startRun(service, { external_id: 'b', config: REVIEW });
      await captureTestFace(service.deps, second, 'alice');
      const decision = { decision: 'different_people', reason: 'r', actor: 'cli' } as const;
      await decideOwnReview(service.deps.db, service.clock, await sessionOf(service, second.id), decision);
    };
    expect(await told('run.review_opened', act)).toMatchObject([{ external_id: 'b' }]);
    expect(await told('review.decided', act)).toMatchObject([
      { external_id: 'b', decision: 'different_people' },
    ]);
    expect(await told('run.settled', act)).toMatchObject([
      { external_id: 'a' },
      { external_id: 'b', verified: true },
    ]);
  });

  it('pass.locked, once, and pass.unlocked', async () => {
    const act = async (service: TestService) => {
      const ran = await run(service, 'alice', { external_id: 'a' });
      const token = ran.result?.vyt ?? '';
      await lockConfirmation(service.deps, await service.caller('sk_test'), token);
      await lockConfirmation(service.deps, await service.caller('sk_test'), token);
      const by = { locked: false, reason: 'r', actor: 'cli' } as const;
      await setSessionLock(service.deps, service.scope('test'), ran.session_id, by);
    };
    expect(await told('pass.locked', act)).toMatchObject([{ external_id: 'a', passes: 1 }]);
    expect(await told('pass.unlocked', act)).toMatchObject([{ external_id: 'a', passes: 1 }]);
  });

  it('person.disconnected, once, and person.erased, with the customer’s own IDs only', async () => {
    const act = async (service: TestService) => {
      const ran = await run(service, 'alice', { external_id: 'a', email: 'a@shop.example' });
      const pass = await passOf(service, ran);
      const proof = service.deps.connect.mintOwnProof({
        sessionId: ran.session_id,
        expiresAt: service.clock.now() + 60_000,
      });
      const action = { connection_id: pass.personId ?? '' };
      await disconnect(service.deps, proof, action);
      await disconnect(service.deps, proof, action);
      await eraseOnePerson(service.deps, service.scope('test'), pass.personId ?? '', 'person');
    };
    expect(await told('person.disconnected', act)).toEqual([{ external_ids: ['a'], more_external_ids: 0 }]);
    expect(await told('person.erased', act)).toHaveLength(1);
  });

  it('of person.* events, without the answer, which an erasure could not find', async () => {
    const service = await openHooked({ events: ['person.erased'] });
    const pass = await passOf(service, await run(service, 'alice', { external_id: 'a' }));
    await eraseOnePerson(service.deps, service.own, pass.personId ?? '', 'person');
    const said = async () => ({ ...answered(200), responseBody: 'Goodbye Alice' });
    const scheduler = testScheduler(service.deps.db, service.clock, said);
    await scheduler.poll();
    await scheduler.idle();
    const rows = await service.deps.db.all('SELECT http_status, response_body FROM webhook_events');
    expect(rows).toEqual([{ http_status: 200, response_body: null }]);
  });

  it('usage.cap_reached, with the last check that may settle, not with those after it', async () => {
    const caps = await told('usage.cap_reached', async (service) => {
      await service.deps.db.tx((tx) => tx.run('UPDATE companies SET daily_limit = 2'));
      for (const name of ['alice', 'bob', 'carol', 'dave']) await run(service, name);
    });
    expect(caps).toMatchObject([{ cap: 2, is_test: true }]);
  });
});

it('an erasure takes what receivers answered about the person’s runs, also to messages sent again', async () => {
  const service = await openHooked();
  const { deps, by, made } = service;
  const pass = await passOf(service, await run(service, 'alice', { external_id: 'a' }));
  const scheduler = testScheduler(deps.db, service.clock, async () => ({
    ...answered(200),
    responseBody: 'Hello Alice',
  }));
  await scheduler.poll();
  await scheduler.idle();
  await replayMessages(deps, by, made.webhook_id, { sinceMs: 0, isCompletedToo: true });
  await scheduler.poll();
  await scheduler.idle();
  await eraseOnePerson(deps, by.scope, pass.personId ?? '', 'person');
  const { items } = await listMessages(deps.db, by.scope, made.webhook_id, {
    limit: 10,
    status: 'completed',
  });
  expect(items).toHaveLength(2);
  for (const { message_id: id } of items) {
    const { tries } = await readMessage(deps.db, by.scope, made.webhook_id, id);
    expect(tries).toMatchObject([{ http_status: 200, response_body: null }]);
  }
});

it('only the company and partition of an event are told, each webhook once', async () => {
  const service = await openHooked();
  const { deps, bodies, own } = service;
  const live = await createWebhook(deps, { scope: service.scope('live'), actor }, { url: URL_ });
  const second = await createWebhook(
    deps,
    { scope: own, actor },
    { url: `${URL_}/2`, events: ['run.settled'] },
  );
  const other = await service.otherCompany();
  const stranger = { companyId: other.company.company_id, partition: 'test' } as const;
  const foreign = await createWebhook(deps, { scope: stranger, actor }, { url: URL_ });
  await run(service, 'alice');
  expect((await bodies()).map(({ type }) => type)).toEqual(['run.settled']);
  const count = async (scope: typeof stranger | typeof own, id: string) =>
    (await listMessages(deps.db, scope, id, { limit: 10 })).items.length;
  expect(await count(own, second.webhook_id)).toBe(1);
  expect(await count(service.scope('live'), live.webhook_id)).toBe(0);
  expect(await count(stranger, foreign.webhook_id)).toBe(0);
  expect(await refusalOf(listMessages(deps.db, stranger, second.webhook_id, { limit: 1 }))).toBe(
    'webhook_not_found',
  );
});

it('a call goes out with a signature of its own attempt that the library accepts, and the same ID', async () => {
  const service = await openHooked();
  const { deps, clock, made } = service;
  clock.set(Date.now());
  await run(service, 'alice');
  const scheduler = testScheduler(deps.db, clock, async () => answered(500));
  await scheduler.poll();
  await scheduler.idle();
  clock.advance(2 * 60_000);
  await scheduler.poll();
  await scheduler.idle();
  const [first, second] = scheduler.sent;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  const checker = new Webhook(made.secrets[0]?.secret ?? '');
  for (const { body, headers } of scheduler.sent)
    expect(checker.verify(Buffer.from(body).toString(), { ...headers })).toMatchObject({
      type: 'run.settled',
    });
});

it('a webhook that is removed while it is read is not found, and missing in the list', async () => {
  const { deps, by, made } = await openHooked();
  const removing: SqlReader = {
    ...deps.db,
    async one<Row>(...query: [string, ...SqlValue[]]) {
      const row = await deps.db.one<Row>(...query);
      await removeOnce();
      return row;
    },
    async all<Row>(...query: [string, ...SqlValue[]]) {
      const rows = await deps.db.all<Row>(...query);
      await removeOnce();
      return rows;
    },
  };
  let there: string | null = made.webhook_id;
  const removeOnce = async () => {
    const id = there;
    there = null;
    if (id !== null) await removeWebhook(deps, by, id);
  };
  expect(await listWebhooks(removing, by.scope)).toEqual([]);
  const second = await createWebhook(deps, by, { url: URL_ });
  there = second.webhook_id;
  expect(await refusalOf(readWebhook(removing, by.scope, second.webhook_id))).toBe('webhook_not_found');
});

describe('destinations', () => {
  it.each([
    'http://localhost:3000/x',
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/',
    'https://app.localhost/',
  ])('a test key may use %s; a live one is told the setting', async (url) => {
    const service = await openTestService();
    const test = { scope: service.scope('test'), actor } as const;
    expect((await createWebhook(service.deps, test, { url })).url).toBe(url);
    const live = createWebhook(service.deps, { scope: service.scope('live'), actor }, { url });
    await expect(live).rejects.toMatchObject({ code: 'invalid_destination' });
    await expect(live).rejects.toMatchObject({
      facts: { extra: { reason: expect.stringContaining('GATEHOUSE_WEBHOOK_ALLOW_HOSTS') as unknown } },
    });
  });

  it.each(['http://shop.example/', 'http://192.168.1.4/', 'https://10.0.0.1/', 'https://169.254.169.254/'])(
    'nobody may use %s',
    async (url) => {
      const service = await openTestService();
      const made = createWebhook(service.deps, { scope: service.scope('test'), actor }, { url });
      expect(await refusalOf(made)).toBe('invalid_destination');
    },
  );

  it('what a program on this machine answers to a test call is not kept', async () => {
    const receiver = await openReceiver((_call, response) => response.end('a secret of this machine'));
    const policy = {
      allowHosts: new Set<string>(),
      ownAddresses: new Set<string>(),
      ownPorts: new Set<number>(),
    };
    const options = { ...policy, signal: new AbortController().signal };
    const request = { url: receiver.url, body: Buffer.from('{}'), headers: {} };
    expect(await sendWebhook({ ...request, mayBeLoopback: true }, options)).toMatchObject({
      httpStatus: 200,
      responseBody: null,
    });
    expect((await sendWebhook(request, options)).networkFailure).toContain('REFUSED_DESTINATION');
    const ownPorts = new Set([Number(new URL(receiver.url).port)]);
    const toSelf = await sendWebhook({ ...request, mayBeLoopback: true }, { ...options, ownPorts });
    expect(toSelf.networkFailure).toContain('REFUSED_DESTINATION');
  });

  it('at most 20 in a partition', async () => {
    const service = await openTestService();
    const by = { scope: service.scope('test'), actor } as const;
    const made = await Promise.allSettled(
      Array.from({ length: 25 }, () => createWebhook(service.deps, by, { url: URL_ })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await listWebhooks(service.deps.db, by.scope)).toHaveLength(20);
  });
});

it('a changed address gets what waits; events that are taken out fail; a removed webhook gets nothing', async () => {
  const service = await openHooked({ events: ['run.settled', 'pass.locked'] });
  const { deps, by, made } = service;
  const ran = await run(service, 'alice');
  await lockConfirmation(deps, await service.caller('sk_test'), ran.result?.vyt ?? '');
  const change = { url: 'https://new.example/', events: ['run.settled'] as V3Event[], description: 'new' };
  expect(await updateWebhook(deps, by, made.webhook_id, change)).toMatchObject(change);
  const scheduler = testScheduler(deps.db, service.clock, async () => answered(200));
  await scheduler.poll();
  await scheduler.idle();
  expect(scheduler.sent.map(({ url }) => url)).toEqual(['https://new.example/']);
  const { items } = await listMessages(deps.db, by.scope, made.webhook_id, { limit: 10 });
  expect(items.map(({ type, status }) => [type, status])).toEqual([
    ['pass.locked', 'failed'],
    ['run.settled', 'completed'],
  ]);
  await removeWebhook(deps, by, made.webhook_id);
  await run(service, 'bob');
  await scheduler.poll();
  await scheduler.idle();
  expect(scheduler.sent).toHaveLength(1);
});

it('a receiver that answers 410 is gone for all events, until the webhook is saved', async () => {
  const service = await openHooked();
  const { deps, by, made } = service;
  const ran = await run(service, 'alice');
  const scheduler = testScheduler(deps.db, service.clock, async () => answered(410));
  await scheduler.poll();
  await scheduler.idle();
  expect(await listWebhooks(deps.db, by.scope)).toMatchObject([{ state: 'gone' }]);
  await lockConfirmation(deps, await service.caller('sk_test'), ran.result?.vyt ?? '');
  const { items } = await listMessages(deps.db, by.scope, made.webhook_id, { limit: 10 });
  expect(items.map(({ status }) => status)).toEqual(['failed', 'failed']);
  await updateWebhook(deps, by, made.webhook_id, {});
  expect(await listWebhooks(deps.db, by.scope)).toMatchObject([{ state: 'working' }]);
  const since = { sinceMs: 0, isCompletedToo: false };
  const { message_ids: ids } = await replayMessages(deps, by, made.webhook_id, since);
  expect(ids).toHaveLength(2);
});

it('a replay since a time sends failed messages, or all, as new ones with the same body', async () => {
  const service = await openHooked({ events: ['run.settled'] });
  const { deps, by, made, clock } = service;
  await run(service, 'alice');
  const scheduler = testScheduler(deps.db, clock, async () => answered(200));
  await scheduler.poll();
  await scheduler.idle();
  clock.advance(1_000);
  const replay = (sinceMs: number, isCompletedToo: boolean) =>
    replayMessages(deps, by, made.webhook_id, { sinceMs, isCompletedToo });
  expect((await replay(0, false)).message_ids).toEqual([]);
  expect((await replay(clock.now(), true)).message_ids).toEqual([]);
  const { message_ids: ids } = await replay(0, true);
  expect(ids).toHaveLength(1);
  const [first, second] = await service.bodies();
  expect(second).toEqual(first);
});

it('an event with sample data is about nobody, and fits its schema', async () => {
  const { deps, by, made, bodies } = await openHooked();
  for (const type of V3_EVENTS) await sendSample(deps, by, { webhookId: made.webhook_id, type });
  const sent = await bodies();
  expect(sent.map(({ type }) => type)).toEqual([...V3_EVENTS]);
  for (const { type, data } of sent) expect(Value.Errors(EVENT_DATA[type], data)).toEqual([]);
  await updateWebhook(deps, by, made.webhook_id, { events: ['run.settled'] });
  const refused = sendSample(deps, by, { webhookId: made.webhook_id, type: 'pass.locked' });
  expect(await refusalOf(refused)).toBe('event_not_sent');
});

it('the API: create, list, read, change, rotate, send, list and read messages, replay, delete', async () => {
  const service = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(v3Routes, { deps: service.deps });
  onTestFinished(() => app.close());
  const { keys } = service.company;
  const ask = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    key?: string,
  ) => {
    const headers = { authorization: `Bearer ${key ?? keys.sk_test}` };
    const reply = await app.inject({
      method,
      url: `/v3/webhooks${url}`,
      headers,
      ...(payload && { payload }),
    });
    return {
      status: reply.statusCode,
      body: reply.json<Record<string, unknown> & { items: Record<string, unknown>[] }>(),
    };
  };
  const made = await ask('POST', '', { url: 'http://localhost:3000/hooks', signing: 'key_pair' });
  expect(made).toMatchObject({ status: 200, body: { state: 'working', secrets: [{ ends_at: null }] } });
  const one = `/${String(made.body['webhook_id'])}`;
  expect((await ask('GET', '')).body.items).toHaveLength(1);
  expect((await ask('GET', '', undefined, keys.sk_live)).body.items).toEqual([]);
  expect((await ask('GET', one, undefined, keys.sk_live)).status).toBe(404);
  expect((await ask('GET', one, undefined, keys.pk_test)).status).toBe(401);
  expect((await ask('GET', one)).body).not.toHaveProperty('secrets');
  expect((await ask('PATCH', one, { events: [] })).status).toBe(422);
  expect((await ask('PATCH', one, { events: ['run.settled'] })).body).toMatchObject({
    events: ['run.settled'],
  });
  const rotated = await ask('POST', `${one}/secret/rotate`);
  expect(rotated.body['secrets']).toHaveLength(2);
  expect((await ask('POST', `${one}/events`, { type: 'pass.locked' })).status).toBe(409);
  const sent = await ask('POST', `${one}/events`, { type: 'run.settled' });
  const message = `${one}/messages/${String(sent.body['message_id'])}`;
  expect((await ask('GET', message)).body).toMatchObject({
    type: 'run.settled',
    status: 'pending',
    tries: [],
  });
  expect((await ask('POST', `${message}/replay`)).status).toBe(200);
  expect((await ask('GET', `${one}/messages?limit=1`)).body).toMatchObject({
    items: [{ type: 'run.settled' }],
    next_cursor: expect.any(String) as unknown,
  });
  expect((await ask('GET', `${one}/messages?cursor=x`)).status).toBe(422);
  expect((await ask('POST', `${one}/replay`, { since: '2026-11-01T00:00:00Z' })).status).toBe(200);
  for (const since of ['yesterday', '2026-11-25T23:59:60Z', '2026-11-25T18:00:00Z[Europe/Paris]'])
    expect((await ask('POST', `${one}/replay`, { since })).status).toBe(422);
  for (let more = 0; more < 6; more += 1) await ask('POST', `${one}/secret/rotate`, { overlap_hours: 168 });
  const most = await ask('POST', `${one}/secret/rotate`);
  expect(most.body['secrets']).toHaveLength(5);
  const now = await ask('POST', `${one}/secret/rotate`, { overlap_hours: 0 });
  expect(now.body['secrets']).toHaveLength(1);
  expect((await ask('DELETE', one)).status).toBe(200);
  expect((await ask('GET', one)).status).toBe(404);
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import type * as Contract from '../../server/contract/v3.ts';
import type * as Codes from '../../server/contract/v3-codes.ts';
import { serverConfig } from '../../server/config.ts';
import { createLogger } from '../../server/http/logging.ts';
import { createPublicApp } from '../../server/http/public-app.ts';
import { passOf, run } from '../../testing/service/runs.ts';
import { openTestService } from '../../testing/service/temp-service.ts';
import { venueEvent } from '../../testing/store/rows.ts';
import { insertEvent } from '../../server/store/venue/events.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { Gatehouse } from './client.ts';
import { verifyCode } from './codes.ts';
import type { GatehouseError } from './errors.ts';
import type * as Sdk from './types.ts';

async function serve() {
  const service = await openTestService();
  const { deps, company } = service;
  const config = serverConfig({ dataDir: tempDir() }, {});
  const app = await createPublicApp({ deps, logger: createLogger('silent'), ...config });
  onTestFinished(() => app.close());
  return { baseUrl: await app.listen({ port: 0, host: '127.0.0.1' }), keys: company.keys, deps, service };
}

/** A server that answers as `answer` says; `calls` are the requests that reached it. */
async function answering(answer: (call: number, reply: ServerResponse, request: IncomingMessage) => void) {
  const calls: IncomingMessage[] = [];
  const server = createServer((request, reply) => {
    calls.push(request);
    request.resume().once('end', () => answer(calls.length, reply, request));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = new Gatehouse({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secretKey: 'sk_test_x',
    timeoutMs: 2_000,
  });
  return { client, calls };
}

const failureOf = async (call: Promise<unknown>): Promise<GatehouseError> =>
  call.then(
    () => {
      throw new Error('It succeeded.');
    },
    (error: unknown) => error as GatehouseError,
  );

test('the types are those of the contract', () => {
  expectTypeOf<Contract.Confirmation>().toExtend<Sdk.Confirmation>();
  expectTypeOf<Sdk.Confirmation>().toExtend<Contract.Confirmation>();
  expectTypeOf<Contract.InitializeResponse>().toExtend<Sdk.InitializeResponse>();
  expectTypeOf<Codes.HumanCodeReply>().toExtend<Sdk.HumansOnlyCode>();
  expectTypeOf<Codes.RedeemedCode>().toExtend<Sdk.RedeemedCode>();
  expectTypeOf<Codes.CodeKeys>().toExtend<Sdk.CodeKeys>();
  expectTypeOf<Contract.TestClock>().toExtend<Sdk.TestClock>();
  expectTypeOf<Contract.TestTokenResponse>().toExtend<Sdk.TestTokenResponse>();
  expectTypeOf<Sdk.InitializeRequest>().toExtend<Contract.InitializeRequest>();
  expectTypeOf<Sdk.LookupRequest>().toExtend<Contract.LookupRequest>();
  expectTypeOf<Sdk.TestTokenRequest>().toExtend<Contract.TestTokenRequest>();
  // Fields that the contract calls deprecated are left out on purpose.
  type Missing = Exclude<keyof Contract.InitializeRequest, keyof Sdk.InitializeRequest>;
  expectTypeOf<Missing>().toEqualTypeOf<'verification_external_id' | 'external_tracker' | 'expire_in_days'>();
});

test('a code is made for who passed, checked offline with the event’s key, and redeemed once', async () => {
  const { service, baseUrl, keys, deps } = await serve();
  const event = venueEvent(service.scope('test'), service.company.default_verification_id, 'event-1');
  await deps.db.tx((tx) => insertEvent(tx, { ...event, endsAt: Date.UTC(2100, 0) }));
  const pass = await passOf(service, await run(service, 'alice', { group: event.group }));
  const token = deps.tokens.mint({ passId: pass.id, mintedAt: deps.clock.now() }, pass.id);
  const gatehouse = new Gatehouse({ baseUrl, secretKey: keys.sk_test });
  const { code, event_id: eventId } = await gatehouse.makeCode(token);
  const { items } = await gatehouse.codeKeys(eventId);
  const check = await verifyCode(
    code,
    items.map((item) => item.public_key),
  );
  expect(check).toMatchObject({ valid: true });
  expect(await gatehouse.redeemCode(code)).toMatchObject(check.valid ? { serial: check.serial } : {});
  expect(await failureOf(gatehouse.redeemCode(code))).toMatchObject({ status: 409, code: 'code_redeemed' });
});

test('a check starts, and each verdict of a test token is read, locked and refused as the service says', async () => {
  const { baseUrl, keys } = await serve();
  const gatehouse = new Gatehouse({ baseUrl, secretKey: keys.sk_test });
  const started = await gatehouse.initialize({ external_id: 'ticket-1', metadata: { vip: true } });
  expect(started.url).toContain(started.session_id);
  const { token } = await gatehouse.createTestToken();
  expect(await gatehouse.confirm(token)).toMatchObject({ verified: true, status: 'approved' });
  expect(await gatehouse.lock(token)).toMatchObject({ verified: false, locked: true });
  const denied = await gatehouse.createTestToken({ status: 'denied', reasons: ['collision'] });
  expect(await gatehouse.confirm(denied.token)).toMatchObject({ verified: false, reasons: ['collision'] });

  const wrongToken = await failureOf(gatehouse.confirm('a/b'));
  expect(wrongToken).toMatchObject({
    name: 'GatehouseError',
    code: 'invalid_confirmation_token',
    status: 401,
  });
  expect(wrongToken.requestId).toMatch(/^req_/);
  const invalid = await failureOf(gatehouse.initialize({ external_id: '' }));
  expect(invalid).toMatchObject({ code: 'invalid_request', status: 422 });
  expect(invalid.problems[0]?.loc).toEqual(['body', 'external_id']);
  const unknown = await failureOf(gatehouse.lookUp({ email: 'nobody@example.com' }));
  expect(unknown).toMatchObject({ code: 'no_settled_pass', status: 404 });
});

test('a reply that is lost after its effect: the call is repeated with the same key and happens once', async () => {
  const { baseUrl, keys, deps } = await serve();
  const keysSent: (string | undefined)[] = [];
  // In front of the service: passes each call on, and cuts off the first reply.
  const proxy = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () => {
      keysSent.push(request.headers['idempotency-key'] as string | undefined);
      const isFirst = keysSent.length === 1;
      void fetch(baseUrl + (request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(parts),
      }).then(async (answer) => {
        const text = await answer.text();
        if (isFirst) request.socket.destroy();
        else reply.writeHead(answer.status).end(text);
      });
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const gatehouse = new Gatehouse({
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    secretKey: keys.sk_test,
  });
  const { session_id } = await gatehouse.initialize({ external_id: 'ticket-1' });
  expect(keysSent).toHaveLength(2);
  expect(keysSent[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keysSent[1]).toBe(keysSent[0]);
  const sessions = await deps.db.all<{ id: string }>('SELECT id FROM sessions');
  expect(sessions.map(({ id }) => id)).toEqual([session_id]);
});

test('your own idempotency key is sent; calls without an effect send none', async () => {
  const { client, calls } = await answering((_, reply) => reply.end('{}'));
  await client.initialize({}, { idempotencyKey: 'order-7' });
  await client.confirm('vyt_1');
  await client.lookUp({ email: 'a@example.com' });
  expect(calls.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-7', undefined, undefined]);
});

test('what passes is tried again within bounds, what stays is not', async () => {
  const statuses = async (status: number, headers: Record<string, string> = {}) => {
    const { client, calls } = await answering((_, reply) =>
      reply.writeHead(status, headers).end('{"detail":"a_code"}'),
    );
    const error = await failureOf(client.confirm('vyt_1'));
    return [error.status, error.code, calls.length];
  };
  expect(await statuses(400)).toEqual([400, 'a_code', 1]);
  expect(await statuses(404)).toEqual([404, 'a_code', 1]);
  expect(await statuses(503, { 'retry-after': '0' })).toEqual([503, 'a_code', 3]);
  expect(await statuses(429, { 'retry-after': '0' })).toEqual([429, 'a_code', 3]);
  // An hour is not waited for.
  expect(await statuses(429, { 'retry-after': '3600' })).toEqual([429, 'a_code', 1]);
});

test('a redirect is not followed, because it would carry the key elsewhere', async () => {
  const { client, calls } = await answering((_, reply) =>
    reply.writeHead(302, { location: '/elsewhere' }).end(),
  );
  expect(await failureOf(client.confirm('vyt_1'))).toMatchObject({ status: 302, code: 'unexpected_reply' });
  expect(calls.map(({ url }) => url)).toEqual(['/v3/confirmations/vyt_1']);
});

test('a silent server ends each attempt at its limit, and your signal ends the call', async () => {
  const { client, calls } = await answering(() => undefined);
  const stop = new AbortController();
  const call = client.initialize({}, { signal: stop.signal });
  await expect.poll(() => calls.length).toBe(1);
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(calls).toHaveLength(1);

  const hasty = new Gatehouse({ baseUrl: `http://127.0.0.1:1`, secretKey: 'sk_test_x', retries: 0 });
  expect(await failureOf(hasty.confirm('vyt_1'))).toMatchObject({ status: 0, code: 'unreachable' });
});

test('a publishable key, and an address that is none, are refused at once', () => {
  expect(() => new Gatehouse({ baseUrl: 'https://verify.example.org', secretKey: 'pk_test_x' })).toThrow(
    'sk_',
  );
  expect(() => new Gatehouse({ baseUrl: 'verify', secretKey: 'sk_test_x' })).toThrow('baseUrl');
});

test('an idempotency key that no header can carry is told as such, and nothing is sent', async () => {
  const { client, calls } = await answering((_, reply) => reply.end('{}'));
  for (const idempotencyKey of ['', 'order €1', 'a\nb', 'x'.repeat(256)])
    await expect(client.initialize({}, { idempotencyKey })).rejects.toThrow('idempotencyKey is not');
  expect(calls).toHaveLength(0);
});

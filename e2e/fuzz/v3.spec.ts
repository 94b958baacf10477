/**
 * Generated requests (10,000 a night) for every v3 body and path and the flow API's bodies: never a 5xx, never a hang,
 * always the documented error shape. A failure prints its seed; `GATEHOUSE_FUZZ_SEED` sets it.
 */
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { Hello } from '../../server/contract/capture.ts';
import * as flow from '../../server/contract/flow.ts';
import { sized } from '../../testing/tier.ts';
import { consentedRun, openRun } from '../support/run.ts';
import { captured, fresh, openVenue, test, type Venue } from '../conformance/support.ts';
import { AT_ONCE, createSender, fault, fuzz as send, MAX_MS, type Sender } from './exchange.ts';
import {
  type ApiDocument,
  bodySchema,
  contentType,
  headerValue,
  query,
  type Request,
  type Schema,
  segment,
  textual,
} from './requests.ts';

/** Statuses of v3 (contract, "Errors"; decisions §3), and those with which HTTP itself refuses a request. */
const V3_STATUSES = new Set([200, 204, 400, 401, 403, 404, 405, 409, 410, 413, 414, 415, 422, 431]);
/** Those of the flow API (decisions §6): codes can be requested too often. */
const FLOW_STATUSES = new Set([...V3_STATUSES, 429]);

let venue: Venue;
let sender: Sender;
let operations: { method: string; path: string; schema: Schema }[];
let tokens: string[];
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Fuzzed');
  sender = createSender(gatehouse.baseUrl, AT_ONCE);
  const { body } = await venue.call<ApiDocument>('/openapi.json', { key: null });
  const paths = Object.entries(body.paths).filter(([path]) => path.startsWith('/v3/'));
  operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      schema: bodySchema(body, requestBody),
    })),
  );
  const { vyt } = await venue.settle(fresh('face'));
  tokens = [vyt, `${vyt}x`, 'x'];
});
test.afterAll(() => sender.close());

const fuzz = (request: fc.Arbitrary<Request>, count: number, documented: ReadonlySet<number>) =>
  send(sender, request, count, (answer, method) => fault(answer, method, documented));

const HEADERS_LIMIT = 16_384;
/** Too long for one request's head, or nearly. */
const isHuge = ({ path, headers }: Request): boolean =>
  path.length + JSON.stringify(headers).length > HEADERS_LIMIT / 2;

const keyOf = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(`Bearer ${venue.keys.sk_test}`) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(venue.keys)).map((key) => `Bearer ${key}`) },
  );

const filled = (path: string): fc.Arbitrary<string> =>
  path.includes('{')
    ? fc.oneof(fc.constantFrom(...tokens), segment).map((name) => path.replaceAll(/\{\w+\}/g, () => name))
    : fc.constant(path);

test.describe.configure({ timeout: MAX_MS + 30_000 });

test('the document contains every v3 operation', () => {
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'DELETE /v3/test/clock',
    'DELETE /v3/webhooks/{webhook_id}',
    'GET /v3/confirmations/{token}',
    'GET /v3/events/{event_id}/code-keys',
    'GET /v3/test/clock',
    'GET /v3/verifications',
    'GET /v3/webhooks',
    'GET /v3/webhooks/{webhook_id}',
    'GET /v3/webhooks/{webhook_id}/messages',
    'GET /v3/webhooks/{webhook_id}/messages/{message_id}',
    'PATCH /v3/webhooks/{webhook_id}',
    'POST /v3/codes/redeem',
    'POST /v3/confirmations',
    'POST /v3/confirmations/{token}/code',
    'POST /v3/confirmations/{token}/lock',
    'POST /v3/initialize',
    'POST /v3/keys/test',
    'POST /v3/test/clock',
    'POST /v3/test/confirmation-token',
    'POST /v3/verifications/lookup',
    'POST /v3/webhooks',
    'POST /v3/webhooks/{webhook_id}/events',
    'POST /v3/webhooks/{webhook_id}/messages/{message_id}/replay',
    'POST /v3/webhooks/{webhook_id}/replay',
    'POST /v3/webhooks/{webhook_id}/secret/rotate',
  ]);
});

test('bodies of v3, from its OpenAPI document', async () => {
  const request = fc
    .constantFrom(...operations.filter(({ method }) => method === 'POST'))
    .chain(({ method, path, schema }): fc.Arbitrary<Request> =>
      fc.record({
        method: fc.constant(method),
        path: filled(path),
        headers: fc.record({ authorization: keyOf(), 'content-type': fc.constant('application/json') }),
        body: textual(schema),
      }),
    );
  const count = sized(400, 4_000);
  const statuses = await fuzz(request, count, V3_STATUSES);
  // The bodies reach the code behind the schema and are refused by it.
  for (const status of [200, 400, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(count / 40);
});

test('bodies of v3 with another content type, or as bytes', async () => {
  const request = fc.constantFrom(...operations).chain(({ method, path, schema }): fc.Arbitrary<Request> =>
    fc.record({
      method: fc.constant(method),
      path: filled(path),
      headers: fc.record(
        {
          authorization: keyOf(),
          'content-type': contentType,
          'content-encoding': fc.constantFrom('gzip', 'br', 'x'),
        },
        { requiredKeys: ['authorization', 'content-type'] },
      ),
      body: fc.oneof(
        textual(schema),
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      ),
    }),
  );
  await fuzz(request, sized(200, 1_500), V3_STATUSES);
});

test('paths, queries, methods and headers of v3', async () => {
  const known = fc.constantFrom(...operations).chain(({ path }) => filled(path));
  const odd = fc.oneof(
    fc.array(segment, { maxLength: 3 }).map((parts) => `/v3/${parts.join('/')}`),
    known.map((path) => `${path}/`),
    known.map((path) => path.replaceAll('/', '//')),
    known.map((path) => path.toUpperCase()),
  );
  const any: fc.Arbitrary<Request> = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'),
    path: fc.tuple(fc.oneof(known, odd), query).map(([path, search]) => path + search),
    headers: fc.record(
      {
        authorization: fc.oneof(keyOf(), headerValue),
        'x-forwarded-for': headerValue,
        accept: headerValue,
        'accept-version': headerValue,
        origin: headerValue,
        cookie: headerValue,
        'if-none-match': headerValue,
        range: headerValue,
      },
      { requiredKeys: [] },
    ),
    body: fc.constant(null),
  });
  // Headers beyond the limit are refused before the method is read, so the answer to a HEAD would have a body.
  const request = any.map((one) => (one.method === 'HEAD' && isHuge(one) ? { ...one, method: 'GET' } : one));
  await fuzz(request, sized(200, 2_000), V3_STATUSES);
});

test('bodies and headers of the flow API', async () => {
  const needsPhone = { config: { phone: { required: true } } };
  const runs = [
    await openRun(venue, venue.keys.sk_test),
    await consentedRun(venue, venue.keys.sk_test),
    await consentedRun(venue, venue.keys.sk_test, needsPhone),
    await consentedRun(venue, venue.keys.pk_live),
    (await venue.settle(fresh('face'))).run,
  ];
  await captured(runs.at(-1)!, fresh('face'));
  const steps: [step: string, schema: object][] = [
    ['/open', flow.OpenRequest],
    ['/consent', flow.ConsentRequest],
    ['/phone', flow.PhoneRequest],
    ['/phone/confirm', flow.PhoneConfirmRequest],
    ['/handoff', {}],
    ['/handoff/confirm', flow.HandoffConfirmRequest],
    ['/capture/messages', Hello],
    ['/test-capture', flow.TestCaptureRequest],
    ['/test-review', flow.TestReviewRequest],
    ['/decline', {}],
  ];
  const ofSession = fc
    .tuple(fc.constantFrom(...runs), fc.constantFrom(...steps), fc.nat(9), segment)
    .map(([run, [step, schema], n, other]) => ({
      path: `/flow/sessions/${n === 0 ? other : run.sessionId}${step}`,
      token: run.flowToken,
      schema,
    }));
  const ofLink = fc
    .tuple(
      fc.constantFrom<[path: string, schema: object]>(
        ['/flow/handoff/open', flow.HandoffOpenRequest],
        ['/flow/invites/{}/open', flow.OpenRequest],
        ['/flow/verifications/{}/open', flow.OpenRequest],
      ),
      fc.oneof(segment, fc.constant(venue.defaultVerificationId)),
    )
    .map(([[path, schema], id]) => ({ path: path.replace('{}', id), token: '', schema }));
  const request = fc
    .oneof({ weight: 4, arbitrary: ofSession }, { weight: 1, arbitrary: ofLink })
    .chain(({ path, token, schema }): fc.Arbitrary<Request> =>
      fc.record({
        method: fc.constant('POST'),
        path: fc.constant(path),
        headers: fc.record(
          {
            'x-flow-token': fc.oneof({ weight: 5, arbitrary: fc.constant(token) }, headerValue),
            'content-type': contentType,
          },
          { requiredKeys: ['content-type'] },
        ),
        body: textual(schema),
      }),
    );
  const count = sized(500, 2_500);
  const statuses = await fuzz(request, count, FLOW_STATUSES);
  for (const status of [200, 401, 409, 422]) {
    expect(statuses.get(status) ?? 0).toBeGreaterThanOrEqual(count / 250);
  }
});

test('after all of this the server is intact', async () => {
  expect((await venue.settle(fresh('face'))).confirmation.verified).toBe(true);
  expect((await venue.call('/healthz', { key: null })).status).toBe(200);
  expect(venue.gatehouse.log()).not.toContain('request failed');
});

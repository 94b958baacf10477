/**
 * Generated requests (3,000 a night) for every v1 and v2 body and path: never a 5xx, never a hang, always the failure
 * shape. A failure prints its seed; `GATEHOUSE_FUZZ_SEED` sets it.
 */
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { sized, limitMs } from '../../testing/tier.ts';
import { fresh, openVenue, test, type Venue } from '../conformance/support.ts';
import { create, status, walk } from '../conformance/connect.ts';
import { createSender, type Answer, type Sender, SEED } from './exchange.ts';
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

/** Requests of one round, sent at the same time. */
const AT_ONCE = 20;
const MAX_MS = limitMs(15_000);

/** Decisions §4.1, and those with which HTTP itself refuses a request. */
const STATUSES = new Set([200, 400, 401, 403, 404, 405, 410, 413, 414, 415, 429]);
const CODES = new Set([
  'INVALID_API_ACCESS',
  'INVALID_API_KEY',
  'INVALID_REQUEST',
  'DOES_NOT_EXIST',
  'EXPIRED',
  'DEMO_ACCOUNT_REQUIRED',
  'RATE_LIMITED',
]);

let venue: Venue;
let sender: Sender;
let operations: { path: string; schema: Schema }[];
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Fuzzed connect');
  sender = createSender(gatehouse.baseUrl, AT_ONCE);
  const { body } = await venue.call<ApiDocument>('/openapi.json', { key: null });
  operations = Object.entries(body.paths)
    .filter(([path]) => /^\/v[12]\//.test(path))
    .map(([path, { post }]) => ({
      path,
      schema: bodySchema(body, post?.requestBody),
    }));
});
test.afterAll(() => sender.close());

/** The problem with an answer; null if it is as documented. */
function fault({ status: answered, contentType: type, text }: Answer, method: string): string | null {
  if (!STATUSES.has(answered)) return `status ${answered} is not documented: ${text.slice(0, 300)}`;
  if (method === 'HEAD') return text === '' ? null : 'a body where none belongs';
  if (!type.startsWith('application/json')) return `content type ${type || 'none'}`;
  const body = JSON.parse(text) as Record<string, unknown>;
  if (answered < 400) return null;
  const isFailure =
    body['status'] === 'failure' &&
    CODES.has(String(body['failure_code'])) &&
    typeof body['failure_reason'] === 'string' &&
    body['failure_reason'] !== '';
  return isFailure ? null : `no failure body: ${text.slice(0, 300)}`;
}

/** Sends `count` requests in rounds and checks each answer. */
async function fuzz(request: fc.Arbitrary<Request>, count: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (round) => {
      const faults = await Promise.all(
        round.map(async (one) => {
          const answer = await sender.send(one);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const found = fault(answer, one.method);
          return found === null ? [] : [{ found, path: one.path, body: String(one.body).slice(0, 300) }];
        }),
      );
      expect(faults.flat()).toEqual([]);
    }),
    {
      seed: SEED,
      numRuns: count / AT_ONCE,
      plugins: [fc.interruptAfterTimeLimit(MAX_MS)],
      endOnFailure: true,
    },
  );
  return statuses;
}

const key = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(venue.keys.ak_test) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(venue.keys)) },
    { weight: 1, arbitrary: fc.constant('x') },
  );

test.describe.configure({ timeout: MAX_MS + 30_000 });

test('bodies, from the OpenAPI document', async () => {
  const request = fc.constantFrom(...operations).chain(({ path, schema }): fc.Arbitrary<Request> =>
    fc.record({
      method: fc.constant('POST'),
      path: fc.constant(path),
      headers: fc.record({
        'api-key': key(),
        'content-type': fc.oneof(fc.constant('application/json'), contentType),
      }),
      body: fc.oneof(
        { weight: 8, arbitrary: textual(schema) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
      ),
    }),
  );
  const count = sized(300, 2_000);
  const statuses = await fuzz(request, count);
  // The bodies reach the code behind the schema and are refused by it.
  for (const reached of [200, 400]) expect(statuses.get(reached) ?? 0).toBeGreaterThan(count / 40);
});

test('paths, queries, methods and headers', async () => {
  const known = fc.constantFrom(...operations).map(({ path }) => path);
  const odd = fc.oneof(
    fc
      .tuple(fc.constantFrom('/v1', '/v2'), fc.array(segment, { maxLength: 3 }))
      .map(([generation, parts]) => [generation, ...parts].join('/')),
    known.map((path) => `${path}/`),
    known.map((path) => `${path}/../x`),
  );
  const request: fc.Arbitrary<Request> = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'),
    path: fc
      .tuple(fc.oneof(known, odd), query)
      .map(([path, search]) => path + search)
      .filter((path) => path.length < 4_000),
    headers: fc
      .record(
        { 'api-key': fc.oneof(key(), headerValue), 'x-forwarded-for': headerValue, origin: headerValue },
        { requiredKeys: [] },
      )
      .filter((headers) => JSON.stringify(headers).length < 4_000),
    body: fc.constant(null),
  });
  await fuzz(request, sized(200, 1_000));
});

test('after all of this the server is intact', async () => {
  const { external_id, verification_url: link } = await create(venue);
  await walk(venue, link, fresh('face'));
  expect((await status(venue, { external_id })).verification_complete).toBe(true);
  expect(venue.gatehouse.log()).not.toContain('request failed');
});

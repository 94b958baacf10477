/**
 * Generated requests (3,000 a night) for every v1 and v2 body and path: never a 5xx, never a hang, always the failure
 * shape. A failure prints its seed; `GATEHOUSE_FUZZ_SEED` sets it.
 */
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { sized } from '../../testing/tier.ts';
import { fresh, openVenue, test, type Venue } from '../conformance/support.ts';
import { create, status, walk } from '../conformance/connect.ts';
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
    .map(([path, { post }]) => ({ path, schema: bodySchema(body, post?.requestBody) }));
});
test.afterAll(() => sender.close());

/** An answer of any shape, or the failure body. */
function hasShape(body: unknown, answered: number): boolean {
  if (answered < 400) return true;
  const { status: said, failure_code, failure_reason } = body as Record<string, unknown>;
  return (
    said === 'failure' &&
    CODES.has(String(failure_code)) &&
    typeof failure_reason === 'string' &&
    failure_reason !== ''
  );
}

const fuzz = (request: fc.Arbitrary<Request>, count: number) =>
  send(sender, request, count, (answer, method) => fault(answer, method, STATUSES, hasShape));

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

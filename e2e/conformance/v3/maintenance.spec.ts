/** Contract, "What the service does", 8: scheduled maintenance; decisions §3.17. On a separate server. */
import { expect } from '@playwright/test';
import { limitMs } from '../../../testing/tier.ts';
import { openVenue, test, type Venue } from '../support.ts';

// Maintenance affects the whole server, so it must not overlap with other files.
test.use({ settings: { GATEHOUSE_LOG_LEVEL: 'error' } });

/** A running server notices the switch within about a second. */
const FOLLOWED = { timeout: limitMs(10_000), intervals: [100] };

let venue: Venue;
let sessionId: string;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Maintenance');
  sessionId = (await venue.initialize({})).body.session_id!;
});
test.afterAll(async ({ gatehouse }) => {
  await gatehouse.cli(['maintenance', 'off']);
});

const CODE = 'SERVICE_TEMPORARILY_UNAVAILABLE';
const status = async () => (await venue.call('/v3/initialize', { body: {} })).status;

test('"every endpoint answers HTTP 503 with failure code SERVICE_TEMPORARILY_UNAVAILABLE"', async () => {
  const on = await venue.gatehouse.cli(['maintenance', 'on']);
  expect(on).toEqual({ maintenance: 'on', until: null });
  await expect.poll(status, FOLLOWED).toBe(503);
  for (const [path, call] of [
    ['/v3/initialize', { body: {} }],
    ['/v3/initialize', { body: '{', key: null }],
    ['/v3/confirmations/x', {}],
    ['/v3/confirmations/x/lock', { method: 'POST' }],
    ['/v3/confirmations', { body: {} }],
    ['/v3/keys/test', { method: 'POST' }],
    ['/v3/test/confirmation-token', { body: {} }],
    ['/v3/verifications/lookup', { body: {} }],
    ['/v3/verifications', {}],
    [`/flow/sessions/${sessionId}/open`, { body: { device: 'mobile' } }],
  ] as const) {
    const reply = await venue.call<Record<string, string>>(path, call);
    expect([path, reply.status]).toEqual([path, 503]);
    expect(reply.body).toEqual({
      detail: CODE,
      status: 'failure',
      failure_code: CODE,
      failure_reason: expect.any(String),
    });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

test('once it is off, a run in progress continues', async () => {
  const off = await venue.gatehouse.cli(['maintenance', 'off']);
  expect(off).toEqual({ maintenance: 'off', until: null });
  await expect.poll(status, FOLLOWED).toBe(200);
  const opened = await venue.call(`/flow/sessions/${sessionId}/open`, { body: { device: 'mobile' } });
  expect(opened.status).toBe(200);
});

test('--until ends it automatically, and Retry-After counts down to it', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  expect(await venue.gatehouse.cli(['maintenance', 'on', '--until', until])).toEqual({
    maintenance: 'on',
    until,
  });
  await expect.poll(status, FOLLOWED).toBe(503);
  const { headers } = await venue.call('/v3/initialize', { body: {} });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
});

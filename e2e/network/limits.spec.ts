/** What a caller with only public addresses and a publishable key can use up (decisions §6). */
import { expect, test } from '@playwright/test';
import type { OpenResponse } from '../../server/contract/flow.ts';
import { NIGHTLY, limitMs } from '../../testing/tier.ts';
import { HOUR_MS, testClock } from '../support/service/clock.ts';
import { signIn } from '../support/pages/console.ts';
import { send, type Reply } from '../support/http.ts';
import { consentedRun, openRun } from '../support/run.ts';
import { startGatehouse, type Gatehouse } from '../support/service/server.ts';
import { startSmsGateway } from '../support/sms-gateway.ts';
import { newVerification } from '../support/venue.ts';

const START_MS = limitMs(45_000);
const AT_ONCE = 25;
const CODES_AN_HOUR = 20;
const SESSIONS_AN_HOUR = 1_200;
const PHONE = { phone: { required: true } };

/** Does `work` this many times, a few at a time. */
async function flood<T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    while (next < times) {
      const n = next;
      next += 1;
      results.push(await work(n));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

const countOf = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;

/** A British mobile number; each has different first seven digits. */
const mobile = (n: number): string => `+447${String(400 + n)}345678`;

const askForCode = ({ baseUrl }: Gatehouse, phone: string, headers: Record<string, string> = {}) =>
  send(`${baseUrl}/flow/my/code`, { body: { phone }, headers });

const openLink = ({ baseUrl }: Gatehouse, verificationId: string, headers: Record<string, string> = {}) =>
  send<OpenResponse>(`${baseUrl}/flow/verifications/${verificationId}/open`, {
    body: { device: 'mobile' },
    headers,
  });

const from = (address: string) => ({ 'x-forwarded-for': address });

test.beforeEach(() => test.setTimeout(START_MS));

test('200 codes for 200 numbers from one address: 20 are sent, the others are refused with Retry-After', async () => {
  await using gateway = await startSmsGateway();
  await using gatehouse = await startGatehouse({ env: gateway.env });
  const replies = await flood(200, (n) => askForCode(gatehouse, mobile(n)));
  expect(countOf(replies, 200)).toBe(CODES_AN_HOUR);
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(180);
  expect(refused[0]?.body).toEqual({ detail: 'too_many_codes' });
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(3_000);
  await expect.poll(() => gateway.texts.length).toBe(CODES_AN_HOUR);

  // Restarting the server resets no limit.
  await gatehouse.kill9();
  await gatehouse.restart();
  expect((await askForCode(gatehouse, mobile(300))).status).toBe(429);
});

test('a slow gateway for codes without a session delays no code of an open session', async () => {
  await using gateway = await startSmsGateway();
  await using gatehouse = await startGatehouse({ env: gateway.env });
  const { company } = gatehouse;
  const verification_id = await newVerification(gatehouse, company, PHONE);
  const flooded = Array.from({ length: 15 }, (_, n) => mobile(n));
  gateway.hold((to) => flooded.includes(to));
  await Promise.all(flooded.map((number) => askForCode(gatehouse, number)));
  await expect.poll(() => gateway.texts.length).toBeGreaterThan(0);

  const guests = await Promise.all(
    [100, 101, 102].map(async (n) => ({
      number: mobile(n),
      run: await consentedRun(gatehouse, company.keys.sk_live, { verification_id }),
    })),
  );
  await Promise.all(guests.map(({ run, number }) => run.flow('/phone', { phone: number })));
  const arrived = () => guests.filter(({ number }) => gateway.texts.some(({ to }) => to === number)).length;
  // No request of the flood has been answered yet.
  await expect.poll(arrived).toBe(3);

  gateway.release();
  await expect.poll(() => gateway.texts.length).toBe(flooded.length + guests.length);
});

test(
  '1,300 openings of a verification’s link from one address: 1,200 create a session, an admin can allow more',
  { tag: NIGHTLY },
  async () => {
    using clock = await testClock();
    await using gatehouse = await startGatehouse({ env: clock.env });
    const id = gatehouse.company.default_verification_id;
    const replies = await flood(1_300, () => openLink(gatehouse, id));
    expect(countOf(replies, 200)).toBe(SESSIONS_AN_HOUR);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused[0]?.body).toEqual({ detail: 'too_many_sessions' });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);

    // All guests of a venue share one address: running sessions continue, and secret keys are not limited.
    const opened = replies.find(({ status }) => status === 200);
    const again = await openLink(gatehouse, id, { 'x-flow-token': opened?.body.flow_token ?? '' });
    expect(again.body.snapshot.session_id).toBe(opened?.body.snapshot.session_id);
    await openRun(gatehouse, gatehouse.company.keys.sk_live);
    const publishable = await send(`${gatehouse.baseUrl}/v3/initialize`, {
      key: gatehouse.company.keys.pk_live,
      body: {},
    });
    expect(publishable).toMatchObject({ status: 429, body: { detail: 'too_many_sessions' } });

    const admin = await signIn(gatehouse, 'admin');
    await admin.ok('/settings/limits', { method: 'PUT', body: { sessions_per_hour: 1_210 } });
    const more = await flood(20, () => openLink(gatehouse, id));
    expect(countOf(more, 200)).toBe(10);
    await clock.advance(HOUR_MS + 1_000);
    expect((await openLink(gatehouse, id)).status).toBe(200);
  },
);

test('behind one trusted proxy the proxy’s address counts, whatever the caller sent', async () => {
  await using gatehouse = await startGatehouse({ env: { GATEHOUSE_TRUSTED_HOPS: '1' } });
  const attacker = await flood(40, (n) => askForCode(gatehouse, mobile(n), from(`10.0.0.${n}, 203.0.113.7`)));
  expect(countOf(attacker, 200)).toBe(CODES_AN_HOUR);
  expect((await askForCode(gatehouse, mobile(90), from('203.0.113.8'))).status).toBe(200);
  // One host has a whole IPv6 network of 2^64 addresses.
  const network = await flood(40, (n) =>
    askForCode(gatehouse, mobile(100 + n), from(`2001:db8:1:2::${n.toString(16)}`)),
  );
  expect(countOf(network, 200)).toBe(CODES_AN_HOUR);
});

test('without a trusted proxy a forged X-Forwarded-For changes nothing', async () => {
  await using gatehouse = await startGatehouse();
  const replies = await flood(40, (n) => askForCode(gatehouse, mobile(n), from(`203.0.113.${n}`)));
  expect(countOf(replies, 200)).toBe(CODES_AN_HOUR);
});

test(
  '120 sessions of 250 kB with a publishable key: every text beyond its limit is 422',
  { tag: NIGHTLY },
  async () => {
    await using gatehouse = await startGatehouse();
    const { pk_live } = gatehouse.company.keys;
    const long = 'x'.repeat(240_000);
    const bodies = [
      { external_tracker: long },
      { return_path: `/${long}` },
      { pass_params: { a: long } },
      { pass_params: Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`k${n}`, 'x'.repeat(600)])) },
    ];
    const replies = await flood(120, (n) =>
      send(`${gatehouse.baseUrl}/v3/initialize`, { key: pk_live, body: bodies[n % bodies.length] }),
    );
    expect(countOf(replies, 422)).toBe(120);
    const ok = await send(`${gatehouse.baseUrl}/v3/initialize`, {
      key: pk_live,
      body: { pass_params: { a: 'x'.repeat(8_184) }, external_tracker: 'x' },
    });
    expect(ok.status).toBe(200);
  },
);

/** Effects of time: the cap's day, codes, handoffs, invites and limits, on a server whose clock a test can move. */
import { expect, test } from '@playwright/test';
import type { HandoffResponse, OpenResponse } from '../../../server/contract/flow.ts';
import { HOUR_MS, MINUTE_MS, testClock, type TestClock } from '../../support/service/clock.ts';
import { refused, send } from '../../support/http.ts';
import { startGatehouse, type Gatehouse } from '../../support/service/server.ts';
import { fresh, freshEmail, freshPhone, NO_SKIP, openVenue, type Venue } from '../support.ts';

let clock: TestClock;
let gatehouse: Gatehouse;
let venue: Venue;
test.beforeAll(async () => {
  clock = await testClock();
  gatehouse = await startGatehouse({ env: clock.env });
  venue = await openVenue(gatehouse, 'Clock');
});
test.afterAll(async () => {
  await gatehouse.stop();
  clock.remove();
});

const DAY_MS = 24 * HOUR_MS;

test('the daily limit "resets daily at 00:00 UTC"', async () => {
  const capped = await openVenue(gatehouse, 'Capped');
  await capped.cli('limit', 'set', '--daily', '1');
  const verified = async () => (await capped.settle(fresh('face'))).confirmation.verified;
  expect([await verified(), await verified()]).toEqual([true, false]);
  await clock.advance(DAY_MS);
  expect([await verified(), await verified()]).toEqual([true, false]);
});

test('limit.kind day starts again the next day, total never', async () => {
  const visit = async (face: string, external_id: string, kind: string) =>
    (await venue.settle(face, { external_id, config: { ...NO_SKIP, limit: { kind, max: 1 } } })).confirmation
      .reasons;
  const [daily, total] = [fresh('face'), fresh('face')];
  for (const [face, kind] of [
    [daily, 'day'],
    [total, 'total'],
  ] as const) {
    expect(await visit(face, face, kind)).toEqual([]);
    expect(await visit(face, face, kind)).toEqual(['limit_reached']);
  }
  await clock.advance(DAY_MS);
  expect(await visit(daily, daily, 'day')).toEqual([]);
  expect(await visit(total, total, 'total')).toEqual(['limit_reached']);
});

test('codes: 30 s until another, 10 minutes of life, 5 sends a session', async () => {
  const [run, number] = [await venue.begin({ config: { phone: { required: true } } }), freshPhone()];
  const ask = () => run.flow('/phone', { phone: number });
  expect((await ask()).status).toBe(200);
  await clock.advance(10 * MINUTE_MS);
  expect(await run.flow('/phone/confirm', { code: number.slice(-6) })).toMatchObject(
    refused(410, 'code_expired'),
  );
  for (let sends = 1; sends < 5; sends += 1) {
    expect((await ask()).status).toBe(200);
    await clock.advance(31_000);
  }
  expect(await ask()).toMatchObject(refused(429, 'too_many_codes'));
  expect((await run.flow('/phone/confirm', { code: number.slice(-6) })).status).toBe(200);
});

test('a handoff code that nobody used expires after five minutes', async () => {
  const run = await venue.begin();
  const { body } = await run.flow<HandoffResponse>('/handoff', {});
  await clock.advance(6 * MINUTE_MS);
  const code = new URL(body.url).hash.slice('#h='.length);
  const taken = await send(`${gatehouse.baseUrl}/flow/handoff/open`, {
    body: { session_id: run.sessionId, code, device: 'mobile' },
  });
  expect(taken).toMatchObject(refused(410, 'handoff_expired'));
});

test('an invite outlives its sessions: the link opens a new one after a day', async () => {
  const { body } = await venue.initialize({ email: freshEmail(), expire_in_days: 1 });
  const open = () =>
    send<OpenResponse>(`${gatehouse.baseUrl}/flow/invites/${body.url.split('/').at(-1)!}/open`, {
      body: { device: 'mobile' },
    });
  const first = await open();
  await clock.advance(40 * DAY_MS);
  const later = await open();
  expect([later.status, later.body.snapshot.state]).toEqual([200, 'open']);
  expect(later.body.snapshot.session_id).not.toBe(first.body.snapshot.session_id);
});

test('a rolled key works until its overlap ends', async () => {
  const other = await openVenue(gatehouse, 'Rolled');
  const pair = (await other.cli<{ pair_id: string; kind: string }[]>('keys', 'list')).find(
    ({ kind }) => kind === 'sk_test',
  )!.pair_id;
  await other.cli('keys', 'roll', '--pair', pair, '--overlap', '7d', '--reason', 'yearly');
  await clock.advance(6 * DAY_MS);
  expect((await other.initialize({})).status).toBe(200);
  await clock.advance(2 * DAY_MS);
  expect(await other.refusal({}, other.keys.sk_test)).toBe('401 invalid_or_revoked_key');
});

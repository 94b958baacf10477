/** The flow API and its rules of order (decisions §6), with test faces. */
import { expect, test } from '@playwright/test';
import { CAPTURE_PROTOCOL } from '../../server/contract/capture.ts';
import type { Snapshot } from '../../server/contract/flow.ts';
import { HOUR_MS, MINUTE_MS, testClock, type TestClock } from '../support/service/clock.ts';
import { refused, send } from '../support/http.ts';
import { confirmation, consentedRun, initialize, openRun } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { newCompany } from '../support/venue.ts';

/** Starts a capture over POSTs. */
const HELLO = { type: 'hello', protocol: CAPTURE_PROTOCOL, mode: 'coached' } as const;

let gatehouse: Gatehouse;
let clock: TestClock;
test.beforeAll(async () => {
  clock = await testClock();
  gatehouse = await startGatehouse({ env: clock.env });
});
test.afterAll(async () => {
  await gatehouse.stop();
  clock.remove();
});

const key = () => gatehouse.company.keys.sk_test;
const sessionUrl = (id: string, path = '') => `${gatehouse.baseUrl}/flow/sessions/${id}${path}`;
const answer = async (reply: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await reply;
  return { status, body };
};

test('the first act binds the session to one device, which may return with its token', async () => {
  const run = await openRun(gatehouse, key());
  const older = await openRun(gatehouse, key());
  await send(sessionUrl(older.sessionId, '/open'), { body: { device: 'mobile' } });
  expect(await answer(older.flow('/consent', { accepted: true }))).toEqual(
    refused(401, 'invalid_flow_token'),
  );
  const open = (flowToken?: string) =>
    send<{ flow_token: string; snapshot: Snapshot }>(sessionUrl(run.sessionId, '/open'), {
      body: { device: 'mobile' },
      ...(flowToken === undefined ? {} : { flowToken }),
    });
  expect((await run.flow('/consent', { accepted: true })).body).toMatchObject({ step: 'capture' });
  expect(await answer(open())).toEqual(refused(409, 'session_claimed'));
  expect(await answer(open('someone-else'))).toEqual(refused(409, 'session_claimed'));
  const again = await open(run.flowToken);
  expect(again.status).toBe(200);
  expect(again.body.flow_token).toBe(run.flowToken);
  expect(again.body.snapshot).toMatchObject({
    session_id: run.sessionId,
    state: 'open',
    step: 'capture',
    is_test: true,
    branding: { organiser: 'Test venue', logo_url: null },
    attempts_left: 3,
    findings: [],
    result: null,
  });
});

test('of devices that open and agree at the same time one gets the session', async () => {
  const { session_id } = await initialize(gatehouse, key());
  const openAndAgree = async () => {
    const { status, body } = await send<{ flow_token: string }>(sessionUrl(session_id, '/open'), {
      body: { device: 'mobile' },
    });
    if (status !== 200) return status;
    const consent = { body: { accepted: true }, flowToken: body.flow_token };
    return (await send(sessionUrl(session_id, '/consent'), consent)).status;
  };
  const replies = await Promise.all([openAndAgree(), openAndAgree(), openAndAgree()]);
  expect(replies.filter((status) => status === 200)).toHaveLength(1);
});

test('every call requires the session’s own flow token', async () => {
  const run = await openRun(gatehouse, key());
  const other = await openRun(gatehouse, key());
  const calls: [path: string, call: Parameters<typeof send>[1]][] = [
    ['', {}],
    ['/events', {}],
    ['/consent', { body: { accepted: true } }],
    ['/capture/messages', { body: HELLO }],
    ['/test-capture', { body: { face: 'x' } }],
    ['/decline', { method: 'POST' }],
  ];
  for (const [path, call] of calls) {
    const url = sessionUrl(run.sessionId, path);
    expect(await answer(send(url, call))).toEqual(refused(401, 'flow_token_required'));
    expect(await answer(send(url, { ...call, flowToken: other.flowToken }))).toEqual(
      refused(401, 'invalid_flow_token'),
    );
    expect(await answer(send(sessionUrl('nobody', path), { ...call, flowToken: run.flowToken }))).toEqual(
      refused(404, 'not found'),
    );
  }
});

test('steps out of order are wrong_step', async () => {
  const run = await openRun(gatehouse, key());
  const wrong = refused(409, 'wrong_step');
  expect(await answer(run.flow('/capture/messages', HELLO))).toEqual(wrong);
  expect(await answer(run.flow('/test-capture', { face: 'early' }))).toEqual(wrong);
  expect(await answer(run.flow('/test-review', { decision: 'approve' }))).toEqual(wrong);
  expect((await run.flow('/consent', { accepted: true })).body).toMatchObject({ step: 'capture' });
  expect(await answer(run.flow('/consent', { accepted: true }))).toEqual(wrong);
});

test('a consent must be valid', async () => {
  const run = await openRun(gatehouse, key());
  for (const body of [{}, { accepted: false }, { accepted: 'true' }]) {
    expect((await run.flow('/consent', body)).status).toBe(422);
  }
  expect(await run.snapshot()).toMatchObject({ step: 'consent' });
});

test('a settled session accepts nothing more, but still returns its result', async () => {
  const run = await consentedRun(gatehouse, key());
  const settled = await run.flow('/test-capture', { face: 'settled' });
  expect(settled.body).toMatchObject({
    state: 'settled',
    step: 'result',
    result: { verified: true, vyc: 1 },
  });
  for (const [path, body] of [
    ['/consent', { accepted: true }],
    ['/capture/messages', HELLO],
    ['/test-capture', { face: 'other' }],
    ['/decline', {}],
  ] as const) {
    expect(await answer(run.flow(path, body))).toEqual(refused(409, 'session_settled'));
  }
  expect(await run.snapshot()).toEqual(settled.body);
});

test('two concurrent settlements of one session give one pass', async () => {
  const run = await consentedRun(gatehouse, key());
  const replies = await Promise.all([
    run.flow('/test-capture', { face: 'twice-1' }),
    run.flow('/test-capture', { face: 'twice-2' }),
    run.flow('/decline', {}),
  ]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const { result } = await run.snapshot();
  const won = replies.find(({ status }) => status === 200);
  expect(result).toEqual(won?.body.result);
});

test('one person in many concurrent sessions passes once', async () => {
  const { keys } = await newCompany(gatehouse, 'Crowded venue');
  const config = { skip: { window_hours: 0 } };
  const runs = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      consentedRun(gatehouse, keys.sk_test, { config, external_id: `crowd-${index}` }),
    ),
  );
  const replies = await Promise.all(runs.map((run) => run.flow('/test-capture', { face: 'crowd' })));
  const passes = await Promise.all(
    replies.map(({ body }) => confirmation(gatehouse, keys.sk_test, body.result?.vyt ?? '')),
  );
  expect(passes.filter(({ verified }) => verified)).toHaveLength(1);
  const denied = passes.filter(({ verified }) => !verified);
  for (const { reasons } of denied) expect(reasons).toEqual(['collision_company', 'duplicate_account']);
});

test('events bring the snapshot immediately and after each change', async () => {
  const run = await openRun(gatehouse, key());
  const stop = new AbortController();
  const reply = await fetch(sessionUrl(run.sessionId, '/events'), {
    headers: { 'x-flow-token': run.flowToken },
    signal: stop.signal,
  });
  expect(reply.headers.get('content-type')).toContain('text/event-stream');
  expect(reply.headers.get('cache-control')).toContain('no-store');
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<Snapshot> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const data = lines.find((line) => line.startsWith('data: '));
        if (data !== undefined) return JSON.parse(data.slice('data: '.length)) as Snapshot;
      } else {
        const { value, done } = await reader.read();
        if (done) throw new Error('The stream ended.');
        text += value;
      }
    }
  };
  const until = async (fits: (snapshot: Snapshot) => boolean) => {
    for (;;) {
      const snapshot = await next();
      if (fits(snapshot)) return snapshot;
    }
  };
  expect(await next()).toMatchObject({ state: 'open', step: 'consent' });
  await run.flow('/consent', { accepted: true });
  await until(({ step }) => step === 'capture');
  await run.flow('/test-capture', { face: 'watched' });
  expect(await until(({ state }) => state === 'settled')).toEqual(await run.snapshot());
  stop.abort();
});

test.describe('over time', () => {
  test('a result token can be exchanged for 30 minutes, then is 410 token_expired', async () => {
    const run = await consentedRun(gatehouse, key());
    const { body } = await run.flow('/test-capture', { face: 'late' });
    const url = `${gatehouse.baseUrl}/v3/confirmations/${body.result?.vyt ?? ''}`;
    await clock.advance(29 * MINUTE_MS);
    expect((await send(url, { key: key() })).status).toBe(200);
    await clock.advance(MINUTE_MS);
    expect(await answer(send(url, { key: key() }))).toEqual(refused(410, 'token_expired'));
  });

  test('within 24 hours a return visit skips, afterwards it is checked', async () => {
    const { keys } = await newCompany(gatehouse, 'Venue of regulars');
    const visit = async () => {
      const run = await consentedRun(gatehouse, keys.sk_test, { external_id: 'regular' });
      const { body } = await run.flow('/test-capture', { face: 'regular' });
      return confirmation(gatehouse, keys.sk_test, body.result?.vyt ?? '');
    };
    const first = await visit();
    expect(first).toMatchObject({ verified: true, reasons: [] });
    await clock.advance(23 * HOUR_MS);
    expect((await visit()).id).toBe(first.id);
    await clock.advance(HOUR_MS);
    const later = await visit();
    expect(later.id).not.toBe(first.id);
    expect(later).toMatchObject({ verified: true, reasons: [] });
  });

  test('a session not finished within a day is 410 session_expired', async () => {
    const run = await consentedRun(gatehouse, key());
    await clock.advance(24 * HOUR_MS);
    expect(await run.snapshot()).toMatchObject({ state: 'expired', result: null });
    expect(await answer(run.flow('/test-capture', { face: 'x' }))).toEqual(refused(410, 'session_expired'));
  });
});

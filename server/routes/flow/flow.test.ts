/** The flow API's rules of order (decisions §6), as pages call it: a real listener and store, test faces. */
import { expect, test } from 'vitest';
import { CAPTURE_PROTOCOL } from '../../contract/capture.ts';
import type { OpenResponse, Snapshot } from '../../contract/flow.ts';
import { flow } from '../../contract/routes/flow.ts';
import { initialize } from '../../services/runs/initialize.ts';
import { serveFlow } from '../../../testing/service/flow-server.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';

const DAY_MS = 86_400_000;
/** Starts a capture over POSTs. */
const HELLO = { type: 'hello', protocol: CAPTURE_PROTOCOL, mode: 'coached' } as const;
/** Those that open a session, or take a hand-off's token instead. */
const WITHOUT_TOKEN: readonly object[] = [flow.open, flow.confirmHandoff];

async function openFlow() {
  const service = await openTestService();
  const baseUrl = await serveFlow(service.deps);
  /** A session that a phone has opened. */
  const openRun = async () => {
    const { session_id: id } = await initialize(service.deps, await service.caller('sk_test'), {});
    const send = async (
      path: string,
      token: string | null,
      body?: object,
      method = body ? 'POST' : 'GET',
    ) => {
      const reply = await fetch(`${baseUrl}/flow/sessions/${path}`, {
        method,
        headers: {
          ...(token !== null && { 'x-flow-token': token }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: (await reply.json()) as Snapshot & { detail?: string } };
    };
    const open = async (token: string | null) => {
      const { status, body } = await send(`${id}/open`, token, { device: 'mobile' });
      return { status, body: body as unknown as OpenResponse & { detail?: string } };
    };
    const { flow_token: token } = (await open(null)).body;
    return {
      ...{ id: id ?? '', token, send, open },
      call: (path: string, body?: object) => send(`${id}${path}`, token, body),
    };
  };
  return { ...service, baseUrl, openRun };
}
const refused = (status: number, detail: string) => ({ status, body: { detail } });

test('the device that acted first may return with its token, and no other device', async () => {
  const { openRun } = await openFlow();
  const run = await openRun();
  expect((await run.call('/consent', { accepted: true })).body).toMatchObject({ step: 'capture' });
  for (const token of [null, 'someone-else'])
    expect(await run.open(token)).toMatchObject(refused(409, 'session_claimed'));
  const { status, body } = await run.open(run.token);
  expect([status, body.flow_token]).toEqual([200, run.token]);
  expect(body.snapshot).toMatchObject({
    ...{ session_id: run.id, state: 'open', step: 'capture', is_test: true },
    branding: { organiser: 'Venue', logo_url: null },
    ...{ attempts_left: 3, findings: [], result: null },
  });
});

test('every call requires the session’s own flow token', async () => {
  const { openRun } = await openFlow();
  const [run, other] = [await openRun(), await openRun()];
  const calls = Object.values(flow).filter(
    (route) => route.path.includes('/:session_id') && !WITHOUT_TOKEN.includes(route),
  );
  expect(calls.length).toBeGreaterThan(10);
  for (const { path, method } of calls) {
    const at = (id: string) => path.replace('/flow/sessions/:session_id', id);
    const body = method === 'GET' ? undefined : {};
    const named = `${method} ${path}`;
    const answers = [
      await run.send(at(run.id), null, body, method),
      await run.send(at(run.id), other.token, body, method),
      await run.send(at('nobody'), run.token, body, method),
    ];
    expect(answers, named).toMatchObject([
      refused(401, 'flow_token_required'),
      refused(401, 'invalid_flow_token'),
      refused(404, 'not found'),
    ]);
  }
});

test('steps out of order are wrong_step', async () => {
  const { call } = await (await openFlow()).openRun();
  const wrong = refused(409, 'wrong_step');
  expect(await call('/capture/messages', HELLO)).toMatchObject(wrong);
  expect(await call('/test-capture', { face: 'early' })).toMatchObject(wrong);
  expect(await call('/test-review', { decision: 'approve' })).toMatchObject(wrong);
  expect((await call('/consent', { accepted: true })).body).toMatchObject({ step: 'capture' });
  expect(await call('/consent', { accepted: true })).toMatchObject(wrong);
});

test('a consent must be valid', async () => {
  const { call } = await (await openFlow()).openRun();
  for (const body of [{}, { accepted: false }, { accepted: 'true' }])
    expect((await call('/consent', body)).status).toBe(422);
  expect((await call('')).body).toMatchObject({ step: 'consent' });
});

test('a settled session accepts nothing more, but still returns its result', async () => {
  const { call } = await (await openFlow()).openRun();
  await call('/consent', { accepted: true });
  const settled = await call('/test-capture', { face: 'settled' });
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
  ] as const)
    expect(await call(path, body), path).toMatchObject(refused(409, 'session_settled'));
  expect((await call('')).body).toEqual(settled.body);
});

test('a session not finished within a day is 410 session_expired', async () => {
  const { openRun, clock } = await openFlow();
  const { call } = await openRun();
  await call('/consent', { accepted: true });
  clock.advance(DAY_MS);
  expect((await call('')).body).toMatchObject({ state: 'expired', result: null });
  expect(await call('/test-capture', { face: 'x' })).toMatchObject(refused(410, 'session_expired'));
});

test('events bring the snapshot immediately and after each change', async () => {
  const { baseUrl, openRun } = await openFlow();
  const run = await openRun();
  const stop = new AbortController();
  const { headers, body } = await fetch(`${baseUrl}/flow/sessions/${run.id}/events`, {
    headers: { 'x-flow-token': run.token },
    signal: stop.signal,
  });
  expect(headers.get('content-type')).toContain('text/event-stream');
  expect(headers.get('cache-control')).toContain('no-store');
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (fits: (snapshot: Snapshot) => boolean): Promise<Snapshot> => {
    for (;;) {
      const [event, ...rest] = text.split('\n\n');
      if (rest.length === 0) {
        const { value, done } = await reader.read();
        if (done) throw new Error('The stream ended.');
        text += value;
        continue;
      }
      text = rest.join('\n\n');
      const data = /^data: (.*)$/m.exec(event ?? '')?.[1];
      const snapshot = data === undefined ? undefined : (JSON.parse(data) as Snapshot);
      if (snapshot && fits(snapshot)) return snapshot;
    }
  };
  expect(await until(() => true)).toMatchObject({ state: 'open', step: 'consent' });
  await run.call('/consent', { accepted: true });
  await until(({ step }) => step === 'capture');
  await run.call('/test-capture', { face: 'watched' });
  expect(await until(({ state }) => state === 'settled')).toEqual((await run.call('')).body);
  stop.abort();
});

import { expect, test, vi } from 'vitest';
import type { OpenResponse, Snapshot } from '../../../server/contract/flow.ts';
import { startVisit } from './visit.ts';

const SNAPSHOT = {
  session_id: 'vs_1',
  state: 'open',
  step: 'consent',
  is_test: false,
  findings: [],
  handoff: null,
  result: null,
} as unknown as Snapshot;
const OPENED: OpenResponse = { flow_token: 'ft_1', snapshot: SNAPSHOT };
const toolsWith = (send: typeof fetch) => ({
  line: { fetch: send, pause: async () => undefined, follow: () => () => undefined, isUp: () => true },
  signer: async () => null,
  reload: () => undefined,
});
const idle = () => new Promise((resolve) => setTimeout(resolve));

test('begins with the run that the server opened, without opening it again', async () => {
  const send = vi.fn<typeof fetch>();
  const visit = startVisit(OPENED, toolsWith(send));
  await idle();
  expect(visit.flow.state()).toMatchObject({ screen: 'consent', device: 'kiosk' });
  expect(send).not.toHaveBeenCalled();
  visit.end();
});

test('its calls carry the flow token, and none once it has ended', async () => {
  const tokens: (string | null)[] = [];
  const send = vi.fn<typeof fetch>(async (_url, init) => {
    tokens.push(new Headers(init?.headers).get('x-flow-token'));
    return new Response(JSON.stringify({ ...SNAPSHOT, step: 'capture' }));
  });
  const visit = startVisit(OPENED, toolsWith(send));
  await idle();
  visit.flow.accept('v', 'en');
  await idle();
  expect(visit.flow.state().screen).toBe('capture');
  expect(send.mock.calls[0]?.[0]).toBe('/flow/sessions/vs_1/consent');
  visit.end();
  await visit.api.snapshot().catch(() => undefined);
  expect(tokens).toEqual(['ft_1', null]);
});

test('its end aborts a call in progress', async () => {
  let signal: AbortSignal | null | undefined;
  const send = vi.fn<typeof fetch>((_url, init) => {
    signal = init?.signal;
    return new Promise(() => undefined);
  });
  const visit = startVisit(OPENED, toolsWith(send));
  await idle();
  visit.flow.accept('v', 'en');
  await idle();
  expect(signal?.aborted).toBe(false);
  visit.end();
  expect(signal?.aborted).toBe(true);
});

test('a replaced consent text releases the run, so that its code can be scanned again after the reload', async () => {
  const send = vi.fn<typeof fetch>(async () =>
    Response.json({ detail: 'consent_replaced' }, { status: 409 }),
  );
  const reload = vi.fn();
  const visit = startVisit(OPENED, { ...toolsWith(send), reload });
  await idle();
  visit.flow.accept('kiosk-2026-11-22', 'en');
  await expect.poll(() => reload).toHaveBeenCalledOnce();
  expect(send.mock.calls.map(([url]) => url)).toEqual([
    '/flow/sessions/vs_1/consent',
    '/flow/sessions/vs_1/release',
  ]);
  expect(send.mock.calls[1]?.[1]?.keepalive).toBe(true);
});

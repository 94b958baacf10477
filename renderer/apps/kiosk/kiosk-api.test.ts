import { expect, test, vi } from 'vitest';
import { createKioskApi, kioskRefusalOf } from './kiosk-api.ts';

const answering = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  vi.fn<typeof fetch>(async () => new Response(JSON.stringify(body), { status, headers }));
const problemOf = async (call: Promise<unknown>) =>
  kioskRefusalOf(await call.catch((error: unknown) => error));

test('each call carries the device’s current token', async () => {
  const send = answering(200, { items: [] });
  let token: string | null = null;
  const api = createKioskApi(send, () => token);
  await api.staff();
  token = 'kt_1';
  await api.staff();
  const sent = send.mock.calls.map(([, init]) => new Headers(init?.headers).get('x-kiosk-token'));
  expect(sent).toEqual([null, 'kt_1']);
});

test.each([
  [400, { detail: 'not_our_link' }, 'not_our_link'],
  [410, { detail: 'session_expired' }, 'session_expired'],
  [503, { detail: 'busy' }, 'busy'],
  [503, { detail: 'SERVICE_TEMPORARILY_UNAVAILABLE' }, 'maintenance'],
  [500, {}, 'server'],
  [404, '<html>', 'server'],
] as const)('%i %j is %s', async (status, body, code) => {
  const api = createKioskApi(answering(status, body), () => 'kt_1');
  expect((await problemOf(api.walkUp())).code).toBe(code);
});

test('a lock-out has its duration', async () => {
  const api = createKioskApi(
    answering(429, { detail: 'locked_out' }, { 'retry-after': '300' }),
    () => 'kt_1',
  );
  expect(await problemOf(api.unlock('op_1', '000000'))).toEqual({ code: 'locked_out', retryAfterS: 300 });
});

test('a network failure and a truncated reply count as a server that is away', async () => {
  const gone = createKioskApi(
    () => Promise.reject(new TypeError('failed')),
    () => 'kt_1',
  );
  expect((await problemOf(gone.config())).code).toBe('offline');
  const cut = createKioskApi(
    async () => new Response('{"kiosk_'),
    () => 'kt_1',
  );
  expect((await problemOf(cut.config())).code).toBe('offline');
});

test('orders and the end of the token come from the stream', async () => {
  const stream =
    'event: orders\ndata: {"config_version":"v2"}\n\n: still here\n\nevent: revoked\ndata: {}\n\n';
  const api = createKioskApi(
    async () => new Response(stream),
    () => 'kt_1',
  );
  const hooks = { onOrders: vi.fn(), onRevoked: vi.fn() };
  await api.follow(hooks, new AbortController().signal);
  expect(hooks.onOrders).toHaveBeenCalledExactlyOnceWith({ config_version: 'v2' });
  expect(hooks.onRevoked).toHaveBeenCalledOnce();
});

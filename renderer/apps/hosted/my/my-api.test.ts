import { expect, test } from 'vitest';
import { createMyApi } from './my-api.ts';

/** Returns these answers in turn; records the token of each call. */
function server(...answers: unknown[]) {
  const calls: { path: string; token: string | null }[] = [];
  const api = createMyApi({
    fetch: async (input, init) => {
      calls.push({
        path: typeof input === 'string' ? input : '',
        token: new Headers(init?.headers).get('x-my-token'),
      });
      return Response.json(answers.shift(), { headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' } });
    },
    pause: async () => undefined,
    report: () => undefined,
  });
  return { api, calls };
}

test('the token of a verified number is sent with every later call, until the page is closed', async () => {
  const { api, calls } = server({ my_token: 't', connections: [] }, { connections: [] }, { connections: [] });
  await api.open('+1', '123456');
  await api.act('erase', 'c1');
  api.close();
  await api.list();
  expect(calls).toEqual([
    { path: '/flow/my/open', token: null },
    { path: '/flow/my/erase', token: 't' },
    { path: '/flow/my', token: null },
  ]);
});

test('a sent code is timed by the server’s clock', async () => {
  const { api } = server({
    resend_at: '2026-01-01T00:00:30.000Z',
    resend_in_ms: 30_000,
    expires_at: '2026-01-01T00:10:00.000Z',
  });
  expect(await api.sendCode('+1')).toEqual({
    code_sent_at: '2026-01-01T00:00:00.000Z',
    resend_at: '2026-01-01T00:00:30.000Z',
    resend_in_ms: 30_000,
  });
});

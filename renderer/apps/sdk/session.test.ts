import { expect, test, vi } from 'vitest';
import { makeSession } from './session.ts';

const answerWith = (reply: () => Promise<Response>) => {
  const fetchMock = vi.fn<typeof fetch>(reply);
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
};
const make = () =>
  makeSession('https://v.example', 'pk_test_1', { origin: 'https://shop.example', return_path: '/cart' });

test('a publishable key creates a session that returns to this page', async () => {
  const asked = answerWith(async () => Response.json({ session_id: 'vs_1' }));
  await expect(make()).resolves.toBe('vs_1');
  const [url, init] = asked.mock.calls[0]!;
  expect(url).toBe('https://v.example/v3/initialize');
  expect(init).toMatchObject({
    method: 'POST',
    headers: { authorization: 'Bearer pk_test_1' },
    credentials: 'omit',
    body: '{"origin":"https://shop.example","return_path":"/cart"}',
  });
});

test.each([
  [
    'a refusal',
    async () => Response.json({ detail: 'invalid_or_revoked_key' }, { status: 401 }),
    'refused',
    'invalid_or_revoked_key',
  ],
  ['a list of faults', async () => Response.json({ detail: [{}] }, { status: 422 }), 'refused', '422'],
  ['no JSON', async () => new Response('oops', { status: 502 }), 'refused', '502'],
  ['no network', async () => Promise.reject(new TypeError('failed')), 'unreachable', 'https://v.example'],
])('%s is reported unchanged', async (_what, reply, code, detail) => {
  answerWith(reply);
  await expect(make()).rejects.toMatchObject({ code, detail });
});

test('a network that the browser keeps the page from is named', async () => {
  vi.stubGlobal('navigator', { permissions: { query: async () => ({ state: 'denied' }) } });
  answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(make()).rejects.toMatchObject({
    code: 'unreachable',
    detail: 'https://v.example (local network access)',
  });
});

test('a page with https says of a service without it that it is local', async () => {
  vi.stubGlobal('location', { protocol: 'https:' });
  const asked = answerWith(async () => Response.json({ session_id: 'vs_1' }));
  await makeSession('http://gate.local:8080', 'pk_test_1', { origin: 'https://shop.example' });
  await makeSession('http://127.0.0.1:8080', 'pk_test_1', { origin: 'https://shop.example' });
  expect(
    asked.mock.calls.map(([, init]) => (init as { targetAddressSpace?: string }).targetAddressSpace),
  ).toEqual(['local', undefined]);
});

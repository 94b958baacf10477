import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '../../../../../server/contract/console/access.ts';
import { call, setCsrfToken, whenAccessChanged } from './api.ts';
import { reportReachable } from './connection.ts';
import { beginSession, companiesQuery, followSession, meQuery, signOut } from './session.ts';
import { stubbedStorage } from '../forms/storage.fixture.ts';
import { operators } from '../../../../../server/contract/routes/console/operators.ts';

const me = (name: string): Me => ({
  operator: { operator_id: name, name, role: 'staff' },
  csrf_token: `csrf of ${name}`,
  has_pin: false,
  is_limited: false,
  second_factor: { is_on: false, is_required: false },
  session_id: `session of ${name}`,
  idle_timeout_s: 900,
  idle_at: '2030-05-15T20:15:00.000Z',
  ends_at: '2030-05-16T08:00:00.000Z',
});

/** A server that answers `/me` with the browser's session, until that is signed out; away while `isAway`. */
function stubServer() {
  const server = { session: me('Ann') as Me | null, isAway: false, signedOut: [] as (string | null)[] };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    if (server.isAway) throw new TypeError('Failed to fetch');
    if (server.session === null) return Response.json({ error: 'sign_in_required' }, { status: 401 });
    if (!address.endsWith('/sign-out')) return Response.json(server.session);
    const token = new Headers(init.headers).get('x-csrf-token');
    if (token !== server.session.csrf_token) {
      return Response.json({ error: 'csrf_token_required' }, { status: 403 });
    }
    server.signedOut.push(server.session.operator.name);
    server.session = null;
    return Response.json({ ok: true });
  });
  return server;
}

const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });
const read = (client: QueryClient) => client.query({ ...meQuery, staleTime: 0 });

beforeEach(() => {
  vi.stubGlobal('localStorage', stubbedStorage());
  vi.stubGlobal('sessionStorage', stubbedStorage());
});
afterEach(() => {
  reportReachable();
  setCsrfToken('');
  vi.unstubAllGlobals();
});

test('someone who signs out while the server is away stays signed out when it is back, also after a reload', async () => {
  const server = stubServer();
  const client = newClient();
  beginSession(client, me('Ann'));
  server.isAway = true;
  await signOut(client);
  expect(client.getQueryData(meQuery.queryKey)).toBeNull();
  server.isAway = false;
  expect(await read(newClient())).toBeNull();
  expect(server.signedOut).toEqual(['Ann']);
  server.session = me('Ben');
  expect(await read(client)).toMatchObject({ operator: { name: 'Ben' } });
});

test('signing in again withdraws a sign-out that has not reached the server', async () => {
  const server = stubServer();
  const client = newClient();
  server.isAway = true;
  await signOut(client);
  server.isAway = false;
  server.session = me('Ben');
  beginSession(client, me('Ben'));
  expect(await read(client)).toMatchObject({ operator: { name: 'Ben' } });
  expect(server.signedOut).toEqual([]);
});

test('a page whose browser another operator signed in to shows that operator, and nothing of the previous one', async () => {
  const server = stubServer();
  const client = newClient();
  beginSession(client, me('Ann'));
  client.setQueryData(companiesQuery.queryKey, { items: [] });
  await read(client);
  expect(client.getQueryData(companiesQuery.queryKey)).toBeDefined();
  server.session = me('Ben');
  await read(client);
  expect(client.getQueryData(companiesQuery.queryKey)).toBeUndefined();
});

test('a changed role is shown, but not to a page that has signed out meanwhile', async () => {
  const server = stubServer();
  const client = newClient();
  beginSession(client, me('Ann'));
  const promoted = { ...me('Ann'), operator: { ...me('Ann').operator, role: 'admin' as const } };
  followSession(client, promoted);
  expect(client.getQueryData(meQuery.queryKey)).toEqual(promoted);
  server.session = me('Ann');
  await signOut(client);
  followSession(client, promoted);
  expect(client.getQueryData(meQuery.queryKey)).toBeNull();
});

test.each(['role_too_low', 'installation_wide', 'csrf_token_required', 'second_factor_required'])(
  'the refusal %s makes the page read again who is signed in',
  async (error) => {
    const changed = vi.fn();
    whenAccessChanged(changed);
    vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 403 }));
    await expect(call(operators.list)).rejects.toMatchObject({ code: error });
    expect(changed).toHaveBeenCalledOnce();
  },
);

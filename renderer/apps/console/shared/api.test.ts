import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addressOf, ApiError, get, send, setCsrfToken, whenSignedOut, worthRetrying } from './api.ts';
import { reportReachable } from './connection.ts';

const answer = (status: number, body: unknown) =>
  vi.fn<typeof fetch>(async () => new Response(JSON.stringify(body), { status }));

beforeEach(() => setCsrfToken('csrf-1'));
afterEach(() => {
  reportReachable();
  vi.unstubAllGlobals();
});

describe('a call', () => {
  test('carries the CSRF token when it changes something, and never when it reads', async () => {
    const fetched = answer(200, {});
    vi.stubGlobal('fetch', fetched);
    await get('/me');
    await send('POST', '/thing', { a: 1 });
    const headers = fetched.mock.calls.map(([, init]) => init?.headers as Headers);
    expect(headers[0]?.has('x-csrf-token')).toBe(false);
    expect(headers[1]?.get('x-csrf-token')).toBe('csrf-1');
  });

  test('that is refused throws its name, status and body', async () => {
    vi.stubGlobal('fetch', answer(409, { error: 'name_taken', message: 'Taken.', hint: 3 }));
    const refused = await send('POST', '/operators', {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 409, code: 'name_taken', message: 'Taken.', body: { hint: 3 } });
  });

  test('without an answer is told apart from a refusal', async () => {
    vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new TypeError('Failed to fetch')));
    await expect(get('/me')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });

  test('that finds the session ended says so to the frame', async () => {
    const ended = vi.fn();
    whenSignedOut(ended);
    vi.stubGlobal('fetch', answer(401, { error: 'session_idle', message: '' }));
    await expect(get('/me')).rejects.toBeInstanceOf(ApiError);
    expect(ended).toHaveBeenCalledOnce();
  });
});

test('empty parameters are left out of an address', () => {
  expect(addressOf('/audit', { kind: '', actor: undefined, limit: 50 })).toBe('/console/api/audit?limit=50');
});

test('a refusal is not tried again; a busy server is, twice', () => {
  expect(worthRetrying(0, new ApiError(403, 'forbidden', ''))).toBe(false);
  expect(worthRetrying(1, new ApiError(503, 'busy', ''))).toBe(true);
  expect(worthRetrying(2, new ApiError(503, 'busy', ''))).toBe(false);
});

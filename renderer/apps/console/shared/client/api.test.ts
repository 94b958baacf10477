import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { session } from '../../../../../server/contract/routes/console/access.ts';
import { audit } from '../../../../../server/contract/routes/console/audit.ts';
import { keys } from '../../../../../server/contract/routes/console/keys.ts';
import { operators } from '../../../../../server/contract/routes/console/operators.ts';
import { RequestError } from '../../../../http/request-error.ts';
import {
  call,
  fileAddress,
  isSomeoneHere,
  setCsrfToken,
  watchActivity,
  whenSignedOut,
  worthRetrying,
} from './api.ts';
import { reportReachable } from './connection.ts';

const answer = (status: number, body: unknown) =>
  vi.fn<typeof fetch>(async () => new Response(JSON.stringify(body), { status }));

// Of the browser; a call that fails may end in it after its test.
Object.assign(globalThis, { stop: () => undefined });

beforeEach(() => setCsrfToken('csrf-1'));
afterEach(() => {
  reportReachable();
  vi.unstubAllGlobals();
});

describe('a call', () => {
  test('carries the CSRF token if it changes something, and never if it reads', async () => {
    const fetched = answer(200, {});
    vi.stubGlobal('fetch', fetched);
    await call(session.me);
    await call(keys.revoke, { params: { id: 'a/b' }, body: { reason: 'lost' } });
    const headers = fetched.mock.calls.map(([, init]) => init?.headers as Headers);
    expect(headers[0]?.has('x-csrf-token')).toBe(false);
    expect(headers[1]?.get('x-csrf-token')).toBe('csrf-1');
    expect(fetched.mock.calls[1]?.[0]).toBe('/console/api/keys/a%2Fb/revoke');
  });

  test('that is refused throws its code, status and details', async () => {
    vi.stubGlobal('fetch', answer(409, { error: 'name_taken', hint: 3 }));
    const refused = await call(operators.create, { body: { name: 'A', role: 'staff' } }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(RequestError);
    expect(refused).toMatchObject({ status: 409, code: 'name_taken', facts: { hint: 3 } });
  });

  test('without an answer differs from a refusal', async () => {
    vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new TypeError('Failed to fetch')));
    await expect(call(session.me)).rejects.toMatchObject({ status: 0, code: 'offline' });
  });

  test('that finds the session ended tells the frame', async () => {
    const ended = vi.fn();
    whenSignedOut(ended);
    vi.stubGlobal('fetch', answer(401, { error: 'session_idle' }));
    await expect(call(session.me)).rejects.toBeInstanceOf(RequestError);
    expect(ended).toHaveBeenCalledOnce();
  });
});

test('empty parameters are left out of the address', () => {
  expect(fileAddress(audit.export, { query: { kind: '', actor: undefined, limit: 50 } })).toBe(
    '/console/api/audit/export?limit=50',
  );
});

test('a refusal is not retried; a busy server is, twice', () => {
  expect(worthRetrying(0, new RequestError('forbidden', { status: 403 }))).toBe(false);
  expect(worthRetrying(1, new RequestError('busy', { status: 503 }))).toBe(true);
  expect(worthRetrying(2, new RequestError('busy', { status: 503 }))).toBe(false);
});

describe('an operator who left counts as gone', () => {
  const HOUR_MS = 3_600_000;
  beforeEach(() => {
    vi.stubGlobal('window', new EventTarget());
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    watchActivity();
    expect(isSomeoneHere()).toBe(true);
  });
  afterEach(() => void vi.useRealTimers());

  test('although the clock was set back meanwhile', () => {
    vi.advanceTimersByTime(60_000);
    vi.setSystemTime(Date.now() - HOUR_MS);
    expect(isSomeoneHere()).toBe(false);
  });

  test('although the machine slept', () => {
    vi.setSystemTime(Date.now() + HOUR_MS);
    expect(isSomeoneHere()).toBe(false);
  });
});

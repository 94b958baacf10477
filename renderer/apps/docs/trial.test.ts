import { describe, expect, test } from 'vitest';
import { prepareTrial, sendTrial, textField, type TrialInput } from './trial.ts';

const READ: TrialInput = {
  key: ' sk_test_abc ',
  method: 'GET',
  path: '/v3/confirmations/{token}',
  pathValues: { token: 'a/b' },
  queryValues: {},
  body: null,
};

describe('checks before sending', () => {
  test('a live key is refused, in the key and anywhere else', () => {
    for (const key of ['sk_live_abc', ' PK_LIVE_abc', 'x_live_'])
      expect(prepareTrial({ ...READ, key })).toEqual({ kind: 'key_live', field: 'key' });
    const elsewhere = { kind: 'live_key_elsewhere', field: 'key' };
    expect(prepareTrial({ ...READ, pathValues: { token: 'sk_live_abc' } })).toEqual(elsewhere);
    expect(prepareTrial({ ...READ, queryValues: { limit: 'pk_live_abc' } })).toEqual(elsewhere);
    expect(prepareTrial({ ...READ, body: '{"email":"ak_live_abc"}' })).toEqual(elsewhere);
  });

  test('a missing key, an invalid key, a missing token and invalid JSON each have a message', () => {
    expect(prepareTrial({ ...READ, key: ' ' })).toEqual({ kind: 'key_missing', field: 'key' });
    expect(prepareTrial({ ...READ, key: 'sk_test_…' })).toEqual({ kind: 'key_unsendable', field: 'key' });
    expect(prepareTrial({ ...READ, pathValues: { token: '' } })).toEqual({
      kind: 'value_missing',
      field: 'token',
    });
    expect(prepareTrial({ ...READ, body: '{' })).toEqual({ kind: 'not_json', field: 'body' });
  });
});

test('v1 and v2 take the key in `API-KEY`', () => {
  const path = '/v2/verification/create';
  expect(prepareTrial({ ...READ, path, pathValues: {} })).toMatchObject({
    init: { headers: { 'api-key': 'sk_test_abc' } },
  });
});

test('a request has the trimmed key, escaped path values, and the filled-in query', () => {
  expect(prepareTrial({ ...READ, queryValues: { limit: '5', offset: '' } })).toEqual({
    url: '/v3/confirmations/a%2Fb?limit=5',
    init: {
      method: 'GET',
      headers: { authorization: 'Bearer sk_test_abc' },
      credentials: 'omit',
      cache: 'no-store',
    },
  });
});

test('an answer keeps its status, its time and its indented JSON, including errors', async () => {
  let clockMs = 1_000;
  const answer = await sendTrial(
    { url: '/x', init: {} },
    {
      fetch: async () => {
        clockMs += 12;
        return new Response('{"detail":"not found"}', { status: 404, statusText: 'Not Found' });
      },
      nowMs: () => clockMs,
    },
  );
  expect(answer).toEqual({
    status: 404,
    name: 'Not Found',
    durationMs: 12,
    text: '{\n  "detail": "not found"\n}',
    json: { detail: 'not found' },
  });
  expect(textField(answer.json, 'detail')).toBe('not found');
  expect(textField(answer.json, 'token')).toBeNull();
});

import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { v3Routes } from '../routes/v3/index.ts';
import { createFastify } from './public-app.ts';

test('decisions §1.7: a 500 never contains internals; its ID is that of the log line', async () => {
  const { deps, company } = await openTestService();
  const log: Record<string, unknown>[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
  const app = createFastify(pino({}, { write }), 0);
  await app.register(v3Routes, { deps });
  onTestFinished(() => app.close());
  deps.clock.now = () => {
    throw new Error('secret inner words');
  };
  const key = company.keys.sk_test;
  const headers = { authorization: `Bearer ${key}` };
  const reply = await app.inject({ method: 'POST', url: '/v3/initialize', headers, payload: {} });
  expect(reply.statusCode).toBe(500);
  const body = reply.json<Record<string, string>>();
  const [logged] = log;
  expect(body).toEqual({ detail: 'internal_error', error_id: logged?.['error_id'] });
  expect(body['error_id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.stringify(log)).not.toContain(key);
});

test.each([
  ['too long for a token', 'x'.repeat(12_000)],
  ['not text', '%ff'],
  ['a stray percent sign', 'vyt_%'],
  ['a NUL', '%00'],
])('contract, "Errors": 401 invalid_confirmation_token, "Token malformed": %s', async (_what, token) => {
  const { deps, company } = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(v3Routes, { deps });
  onTestFinished(() => app.close());
  const headers = { authorization: `Bearer ${company.keys.sk_test}` };
  for (const { method, url } of [
    { method: 'GET', url: `/v3/confirmations/${token}` },
    { method: 'POST', url: `/v3/confirmations/${token}/lock` },
  ] as const) {
    const reply = await app.inject({ method, url, headers });
    expect([reply.statusCode, reply.json()]).toEqual([401, { detail: 'invalid_confirmation_token' }]);
  }
});

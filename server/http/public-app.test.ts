import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { v3Routes } from '../routes/v3/index.ts';
import { createFastify } from './public-app.ts';

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

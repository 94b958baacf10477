import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { createFastify } from '../../http/public-app.ts';
import { v3Routes } from './index.ts';

test('contract, v3 endpoints: "body required" of all but the verifications lookup, which needs none', async () => {
  const { deps, company } = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(v3Routes, { deps });
  onTestFinished(() => app.close());
  const headers = { authorization: `Bearer ${company.keys.sk_test}` };
  const post = (url: string) => app.inject({ method: 'POST', url, headers });
  const found = await post('/v3/verifications/lookup');
  expect([found.statusCode, found.json<{ verification_id: string }>().verification_id]).toEqual([
    200,
    company.default_verification_id,
  ]);
  for (const url of ['/v3/initialize', '/v3/confirmations', '/v3/test/confirmation-token']) {
    const refused = await post(url);
    expect([refused.statusCode, refused.json<{ detail: { type: string }[] }>().detail[0]?.type]).toEqual([
      422,
      'missing',
    ]);
  }
});

/** As clients write it that escape all but ASCII, such as Python's: 12 bytes for a character of four. */
const asAscii = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[^\u0020-\u007e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

test('contract, "Limits": a body with every field at its limit is accepted, in any spelling', async () => {
  const { deps, company } = await openTestService();
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(v3Routes, { deps });
  onTestFinished(() => app.close());
  const long = (chars: number) => '🎟'.repeat(chars);
  const numbered = (n: number) => String(n).padStart(2, '0');
  const body = {
    external_tracker: long(2_048),
    return_path: long(2_048),
    start_path: long(2_048),
    origin: 'shop.example',
    redirect_url: `https://shop.example/${long(2_000)}`,
    external_id: long(255),
    group: long(255),
    include_groups: Array.from({ length: 50 }, (_, n) => numbered(n) + long(253)),
    pass_params: { p: long(2_000) },
    config: { track_attributes: [long(4_000)] },
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [numbered(n) + long(62), long(1_024)])),
  };
  const headers = { authorization: `Bearer ${company.keys.sk_test}` };
  for (const payload of [JSON.stringify(body), asAscii(body)]) {
    const reply = await app.inject({ method: 'POST', url: '/v3/initialize', headers, payload });
    expect([reply.statusCode, reply.json<{ detail?: unknown }>().detail]).toEqual([200, undefined]);
  }
});

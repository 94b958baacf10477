import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { createFastify } from '../../http/public-app.ts';
import { v3Routes } from './index.ts';

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

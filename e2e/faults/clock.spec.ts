/** The machine's clock is set back and forward by a day while the server runs, and over a restart. */
import { expect, test } from '@playwright/test';
import { HOUR_MS, testClock } from '../support/service/clock.ts';
import { send } from '../support/http.ts';
import { confirmation, consentedRun, initialize, type Run } from '../support/run.ts';
import { startGatehouse } from '../support/service/server.ts';

const DAY_MS = 24 * HOUR_MS;

async function settle(run: Run, face: string): Promise<string> {
  const { body, status } = await run.flow('/test-capture', { face });
  if (!body.result) throw new Error(`The run did not settle: ${status} ${JSON.stringify(body)}`);
  return body.result.vyt;
}

test('a day back and two forward: issued tokens and codes stay valid or end as they should, and new people get through', async () => {
  using clock = await testClock();
  await using gatehouse = await startGatehouse({ env: clock.env });
  const key = gatehouse.company.keys.sk_test;
  const underWay = await consentedRun(gatehouse, key);
  const before = await settle(await consentedRun(gatehouse, key), 'before');

  await clock.advance(-DAY_MS);
  expect(await confirmation(gatehouse, key, before)).toMatchObject({ verified: true });
  const back = await settle(underWay, 'under-way');
  expect(await confirmation(gatehouse, key, back)).toMatchObject({ verified: true, reasons: [] });
  // The returning person is recognised, although their pass has a date that is now in the future.
  const again = await settle(await consentedRun(gatehouse, key, { external_id: 'another' }), 'before');
  expect((await confirmation(gatehouse, key, again)).reasons).toEqual(['collision_company']);
  expect(await gatehouse.cli(['audit', 'verify'])).toMatchObject({ intact: true });

  await gatehouse.kill9();
  await gatehouse.restart();
  expect(await confirmation(gatehouse, key, back)).toMatchObject({ verified: true });
  const { session_id: early } = await initialize(gatehouse, key);

  await clock.advance(2 * DAY_MS);
  const opened = await send(`${gatehouse.baseUrl}/flow/sessions/${early}/open`, {
    body: { device: 'mobile' },
  });
  expect(opened).toMatchObject({ status: 410, body: { detail: 'session_expired' } });
  const after = await settle(await consentedRun(gatehouse, key), 'after');
  expect(await confirmation(gatehouse, key, after)).toMatchObject({ verified: true, reasons: [] });
  expect(await gatehouse.cli(['audit', 'verify'])).toMatchObject({ intact: true });
  expect(gatehouse.log()).not.toMatch(/"level":(50|60)/);
});

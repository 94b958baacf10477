/** A wrong clock destroys nothing: retention waits until an admin confirms the time (decisions §1.5). */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { openDatabase } from '../server/data-dir.ts';
import { insertPerson } from '../server/store/people.ts';
import { insertTemplate } from '../server/store/templates.ts';
import { HOUR_MS, testClock } from './support/clock.ts';
import { send } from './support/http.ts';
import { type Gatehouse, startGatehouse } from './support/server.ts';

const DAY_MS = 24 * HOUR_MS;
const FOUR_YEARS_MS = 4 * 365 * DAY_MS;

/** Faces of people who were last seen now. */
async function enrol({ dataDir, company }: Gatehouse, count: number): Promise<void> {
  const db = await openDatabase(dataDir);
  const scope = { companyId: company.company_id, partition: 'live' } as const;
  const at = Date.now();
  await db.tx(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const personId = randomUUID();
      await insertPerson(tx, scope, personId, at);
      const vector = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
      await insertTemplate(tx, scope, {
        personId,
        passId: randomUUID(),
        model: 'test-model',
        vector,
        quality: 1,
        at,
      });
    }
  });
  await db.close();
}

async function countFaces({ dataDir }: Gatehouse): Promise<number> {
  const db = await openDatabase(dataDir);
  const row = await db.one<{ n: number }>('SELECT COUNT(*) AS n FROM templates');
  await db.close();
  return row?.n ?? 0;
}

test('a clock four years ahead at the start erases no face, and everything is as before once it is corrected', async () => {
  const clock = await testClock();
  const gatehouse = await startGatehouse({ env: clock.env });
  try {
    await enrol(gatehouse, 5);
    await gatehouse.kill9();
    await clock.advance(FOUR_YEARS_MS);
    await gatehouse.restart();
    await expect
      .poll(async () => (await send(`${gatehouse.baseUrl}/readyz`)).body)
      .toEqual({ status: 'ready', details: ['retention_put_off'] });
    expect(await countFaces(gatehouse)).toBe(5);
  } finally {
    await gatehouse.stop();
    clock.remove();
  }
});

import { expect, test } from 'vitest';
import { explainedReader, readingAll } from '../../../testing/store/plans.ts';
import { pass, seedCompany, seedSession, session } from '../../../testing/store/rows.ts';
import { onSqlite, openTempStore } from '../../../testing/store/temp-store.ts';
import { saveKioskRun } from './kiosk-runs.ts';
import { insertPass } from '../passes/passes.ts';
import { countKioskTimes, countByHour, countOutcomes, countReasons } from './run-counts.ts';

const scope = { companyId: 'c', partition: 'live' } as const;
const event = { id: 'e', group: 'g' };

test.runIf(onSqlite)(
  'an event’s figures are counted in an index alone, and only over its own runs',
  async () => {
    const steps: string[] = [];
    const db = explainedReader(await openTempStore(), steps);
    const always = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
    await countByHour(db, { scope, event, ...always });
    await countOutcomes(db, { scope, event: null, fromMs: 1, toMs: 2 });
    await countKioskTimes(db, scope, event.id);
    const searches = steps.filter((step) => /^(SEARCH|SCAN) (sessions|kiosk_runs)/.test(step));
    expect(searches).toHaveLength(4);
    for (const step of searches) expect(step).toContain('USING COVERING INDEX');
  },
);

test.runIf(onSqlite)('only the reasons of refused runs are read', async () => {
  const steps: string[] = [];
  await countReasons(explainedReader(await openTempStore(), steps), scope, event);
  expect(readingAll(steps).filter((step) => step !== 'SCAN r')).toEqual([]);
});

test('a kiosk’s scans count for its own company, and for nobody who knows the event’s ID', async () => {
  const db = await openTempStore();
  await seedCompany(db, 'c');
  await seedCompany(db, 'other');
  await seedSession(db, session(scope, 'v-c', 's'));
  const values = "'c', 'live', 'n', 'v-c', 'g', 'none', 1, 1, 2, '[]', '{}', 1, 1";
  await db.tx(async (tx) => {
    await insertPass(
      tx,
      scope,
      pass('v-c', 'p', { sessionId: 's', status: 'denied', reasons: ['collision'] }),
    );
    await tx.run(
      `INSERT INTO events (id, company_id, partition, name, verification_id, group_id, limit_kind, limit_max, starts_at,
         ends_at, languages, words, created_at, updated_at) VALUES ('e', ${values})`,
    );
    await tx.run(
      "INSERT INTO kiosks (id, company_id, name, created_at, changed_at) VALUES ('k', 'c', 'n', 1, 1)",
    );
    await saveKioskRun(tx, { sessionId: 's', kioskId: 'k', eventId: 'e', origin: 'scan', startedAt: 1 });
    await tx.run("UPDATE sessions SET state = 'settled', pass_id = 'p', settled_at = 5 WHERE id = 's'");
  });
  const figuresFor = async (companyId: string) => {
    const of = { companyId, partition: 'live' } as const;
    return [
      await countOutcomes(db, { scope: of, event, fromMs: 0, toMs: 10 }),
      await countReasons(db, of, event),
      (await countKioskTimes(db, of, event.id)).length,
    ];
  };
  expect(await figuresFor('c')).toEqual([
    [{ outcome: 'turned_away', n: 1 }],
    [{ reasons: '["collision"]', n: 1 }],
    1,
  ]);
  expect(await figuresFor('other')).toEqual([[], [], 0]);
});

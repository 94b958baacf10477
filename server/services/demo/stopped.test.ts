import { expect, it } from 'vitest';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { seedCompany } from '../../../testing/store/rows.ts';
import { verifyAudit } from '../../store/operators/audit.ts';
import type { Database } from '../../store/sql/port.ts';
import { LITTLE } from './demo.fixture.ts';
import { makeDemo } from './make.ts';

const count = async (db: Database, table: string): Promise<number> =>
  (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))?.n ?? 0;
const TABLES = [
  'companies',
  'operators',
  'people',
  'sessions',
  'passes',
  'review_cases',
  'keys',
  'webhook_calls',
];
const counts = async (db: Database) => Promise.all(TABLES.map((table) => count(db, table)));

/** The process ends after the first commit of rows. */
const stopped = (db: Database, clock = testClock()) =>
  makeDemo(db, clock, {
    ...LITTLE,
    onProgress: () => {
      throw new Error('stopped');
    },
  });

it('a stopped demo is removed, and the next one is whole', async () => {
  const [db, other] = [await openTempStore(), await openTempStore()];
  await seedCompany(db, 'acme');
  await seedCompany(other, 'acme');
  await makeDemo(other, testClock(), LITTLE);
  await expect(stopped(db)).rejects.toThrow('stopped');
  expect(await count(db, 'sessions')).toBeGreaterThan(0);
  const shares: number[] = [];
  let waits = 0;
  const wait = async () => (waits += 1);
  expect(
    await makeDemo(db, testClock(), { ...LITTLE, wait, onProgress: (share) => shares.push(share) }),
  ).not.toBeNull();
  expect(waits).toBe(40);
  expect(await counts(db)).toEqual(await counts(other));
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect((await verifyAudit(db)).brokenAt).toBeNull();
});

it('a demo that another process is making is left alone', async () => {
  const db = await openTempStore();
  const clock = testClock();
  const underWay = Promise.withResolvers<undefined>();
  const first = makeDemo(db, clock, { ...LITTLE, onProgress: () => underWay.resolve(undefined) });
  await underWay.promise;
  expect(await makeDemo(db, clock, LITTLE)).toBeNull();
  expect(await first).not.toBeNull();
  expect(await count(db, 'companies')).toBe(1);
});

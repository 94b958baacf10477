import { describe, expect, it, onTestFinished } from 'vitest';
import { onSqlite, storePaths, tempDir } from '../../../testing/store/temp-store.ts';
import { leaseDatabase } from '../../../testing/postgres/lease.ts';
import { testKeys } from '../../../testing/postgres/server.ts';
import { type Database, type SqlTx, StoreError } from './port.ts';
import { type Driver, watchWrites } from './refused-writes.ts';
import { openPostgres } from './postgres/driver.ts';
import { openSqlite } from './sqlite/driver.ts';

/** More than the free pages of a new database. */
const LONG = 'x'.repeat(1_000_000);

async function openWatched(): Promise<{ db: Database; told: (string | null)[] }> {
  const told: (string | null)[] = [];
  const onRefusedWrites = (failure: Error | null) => void told.push(failure && failure.message);
  const dir = tempDir();
  const db = onSqlite
    ? await openSqlite({ ...storePaths(dir), onRefusedWrites })
    : await openPostgres({ url: await leaseDatabase(dir), keys: testKeys, poolSize: 3, onRefusedWrites });
  onTestFinished(() => db.close());
  return { db, told };
}

const save = (tx: Pick<SqlTx, 'run'>, name: string, value: string) =>
  tx.run('INSERT INTO settings (name, value) VALUES (?, ?)', name, value);

/** The largest number of pages that the engine accepts; the pages in use at least. */
const limitPages = (db: Database, pages: number) => db.tx((tx) => tx.one(`PRAGMA max_page_count = ${pages}`));

/** PostgreSQL’s own error with the code, because a test cannot fill its disk. */
const refuse = (db: Database, code: string) =>
  db.tx((tx) => tx.run(`DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$`));

it.runIf(onSqlite)('a full disk: writes are refused until one succeeds', async () => {
  const { db, told } = await openWatched();
  await limitPages(db, 1);
  expect(db.refusesWrites()).toBe(false);
  await expect(db.tx((tx) => save(tx, 'one', LONG))).rejects.toMatchObject({ code: 'database_full' });
  expect(db.refusesWrites()).toBe(true);
  await expect(
    db.write('INSERT INTO settings (name, value) VALUES (?, ?)', 'two', LONG),
  ).rejects.toMatchObject({
    code: 'database_full',
  });
  // Neither a read nor a transaction that changes nothing shows that there is space again.
  await db.all('SELECT name FROM settings');
  await db.tx((tx) => tx.run("DELETE FROM settings WHERE name = 'unknown'"));
  expect(db.refusesWrites()).toBe(true);

  await limitPages(db, 1_000_000);
  await db.tx((tx) => save(tx, 'three', LONG));
  expect(db.refusesWrites()).toBe(false);
  expect(told).toEqual([expect.stringMatching(/full.*Free some space/), null]);
});

it.skipIf(onSqlite).each([
  ['a full disk', '53100', 'database_full'],
  ['a server that became read-only', '25006', 'database_unreachable'],
])('%s: writes are refused until one succeeds', async (_, code, error) => {
  const { db, told } = await openWatched();
  await expect(refuse(db, code)).rejects.toMatchObject({ code: error });
  expect(db.refusesWrites()).toBe(true);
  await db.all('SELECT name FROM settings');
  await db.tx((tx) => tx.run("DELETE FROM settings WHERE name = 'unknown'"));
  expect(db.refusesWrites()).toBe(true);
  await db.write('INSERT INTO settings (name, value) VALUES (?, ?)', 'one', '1');
  expect(db.refusesWrites()).toBe(false);
  expect(told).toEqual([expect.any(String), null]);
});

it('a refused change of data is no refused write', async () => {
  const { db, told } = await openWatched();
  await save({ run: db.write }, 'one', '1');
  await expect(save({ run: db.write }, 'one', '2')).rejects.toThrow();
  await expect(db.tx(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(db.refusesWrites()).toBe(false);
  expect(told).toEqual([]);
});

describe('on a nearly full disk', () => {
  /** Small writes find space, large ones don't. */
  function nearlyFull() {
    let nowMs = 0;
    const told: string[] = [];
    const write = async (sql: string) => {
      if (sql === 'large') throw new StoreError('database_full', 'full');
      return 1;
    };
    const driver = { write } as unknown as Driver;
    const db = watchWrites(
      driver,
      (failure) => void told.push(failure ? 'refused' : 'accepted'),
      () => nowMs,
    );
    const second = async () => {
      nowMs += 500;
      await db.write('large').catch(() => undefined);
      nowMs += 500;
      await db.write('small');
    };
    const seconds = async (count: number, turn: () => Promise<unknown>) => {
      for (let done = 0; done < count; done += 1) await turn();
    };
    const quietSecond = async () => {
      nowMs += 1_000;
      await db.write('small');
    };
    return { db, told, second, seconds, quietSecond };
  }

  it('the state changes once and stays, instead of each second', async () => {
    const { db, told, second, seconds } = nearlyFull();
    await seconds(120, second);
    expect(told).toEqual(['refused', 'accepted', 'refused']);
    expect(db.refusesWrites()).toBe(true);
  });

  it('it ends after 30 seconds without a refusal, after a further relapse a minute, and forgets both when all is well', async () => {
    const { db, told, second, seconds, quietSecond } = nearlyFull();
    await seconds(2, second);
    await seconds(29, quietSecond);
    expect(db.refusesWrites()).toBe(true);
    await quietSecond();
    expect(db.refusesWrites()).toBe(false);
    await second();
    await seconds(58, quietSecond);
    expect(db.refusesWrites()).toBe(true);
    await seconds(2, quietSecond);
    expect(db.refusesWrites()).toBe(false);
    await seconds(10 * 60, quietSecond);
    told.length = 0;
    await second();
    expect(told).toEqual(['refused', 'accepted']);
  });
});

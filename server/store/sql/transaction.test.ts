/** What a transaction may await, on both engines. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import type { Database, SqlTx } from './port.ts';

const insert = (tx: Pick<SqlTx, 'run'>, id: string) =>
  tx.run('INSERT INTO companies (id, name, daily_limit, created_at) VALUES (?, ?, 1, 1)', id, id);
const ids = async (db: Database) =>
  (await db.all<{ id: string }>('SELECT id FROM companies ORDER BY id')).map(({ id }) => id);
const STRAYED = 'awaited something other';

it.each([
  ['before its first statement', nextTurn, async () => undefined],
  ['between two statements', async () => undefined, nextTurn],
])('a transaction that awaits something else %s is undone at once', async (_, before, between) => {
  const db = await openTempStore();
  const strayed = db.tx(async (tx) => {
    await before();
    await insert(tx, 'a');
    await between();
    await insert(tx, 'b');
  });
  await expect(strayed).rejects.toThrow(STRAYED);
  await db.tx((tx) => insert(tx, 'c'));
  expect(await ids(db)).toEqual(['c']);
});

it('one that awaits something that never comes lets the others continue', async () => {
  const db = await openTempStore();
  const hung = db.tx(async (tx) => {
    await insert(tx, 'a');
    await new Promise(() => undefined);
  });
  const other = db.tx((tx) => insert(tx, 'b'));
  await expect(hung).rejects.toThrow(STRAYED);
  await other;
  expect(await ids(db)).toEqual(['b']);
});

it('one that awaits its own statements alone, many at once or none, is left alone', async () => {
  const db = await openTempStore();
  await db.tx(async (tx) => {
    await Promise.all(['a', 'b', 'c'].map((id) => insert(tx, id)));
    await Promise.resolve();
    for (let n = 0; n < 50; n += 1) await tx.one('SELECT 1');
  });
  await db.tx(async () => undefined);
  expect(await ids(db)).toEqual(['a', 'b', 'c']);
});

it('a statement that was not awaited is refused once its transaction has ended', async () => {
  const db = await openTempStore();
  const late = Promise.withResolvers<unknown>();
  await db.tx(async (tx) => {
    await insert(tx, 'a');
    void sleep(1).then(() => late.resolve(insert(tx, 'late').catch((error: unknown) => error)));
  });
  expect(await late.promise).toMatchObject({ message: expect.stringContaining('after the end') as string });
  expect(await ids(db)).toEqual(['a']);
});

/** Limits that all nodes share; each test queries one database like every node. */
import { expect, it } from 'vitest';
import { openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { placeOf } from '../../domain/address.ts';
import { countOrWait, limited } from './rate-limits.ts';

const START_MS = 1_000_000;
const of = (who: string, limit = 2) => limited('test', who, { limit, windowMs: 60_000 });

it('a window that slides allows a number of hits; refused ones are not counted', async () => {
  const db = await openTempStore();
  const at = (ms: number) => countOrWait(db, [of('a')], START_MS + ms);
  const answers = [];
  for (const ms of [0, 30_000, 40_000, 59_000, 60_000, 61_000, 90_000]) answers.push(await at(ms));
  expect(answers).toEqual([null, null, 20_000, 1_000, null, 29_000, null]);
});

it('each subject has its own limit; an IPv6 network is one address, and IPv4 inside IPv6 is IPv4', async () => {
  const db = await openTempStore();
  const isAllowed = async (address: string) =>
    (await countOrWait(db, [of(placeOf(address), 1)], START_MS)) === null;
  const answers = [];
  for (const address of ['203.0.113.1', '::ffff:203.0.113.1', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9'])
    answers.push(await isAllowed(address));
  expect(answers).toEqual([true, false, true, false]);
});

it('with two limits both must allow it, and neither counts what the other refuses', async () => {
  const db = await openTempStore();
  const ask = (who: string) => countOrWait(db, [of('all', 2), of(who, 1)], START_MS);
  const answers = [];
  for (const who of ['a', 'a', 'b', 'c']) answers.push((await ask(who)) === null);
  expect(answers).toEqual([true, false, true, false]);
});

it('two nodes asked at the same time allow no more together than one does', async () => {
  const dir = tempDir();
  const nodes = [await openTempStore(dir), await openTempStore(dir)];
  const asked = nodes.flatMap((db) =>
    Array.from({ length: 6 }, () => countOrWait(db, [of('a', 5)], START_MS)),
  );
  const answers = await Promise.all(asked);
  expect(answers.filter((waitMs) => waitMs === null)).toHaveLength(5);
});

it('setting the clock back far makes nobody wait', async () => {
  const db = await openTempStore();
  await countOrWait(db, [of('a', 1)], START_MS);
  expect(await countOrWait(db, [of('a', 1)], START_MS - 600_000)).toBeNull();
});

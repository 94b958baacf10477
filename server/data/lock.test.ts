import { expect, it } from 'vitest';
import { tempDir } from '../../testing/store/temp-store.ts';
import { leadNights } from './lock.ts';

it('of several servers of a folder one leads at night, and the next one after its end', () => {
  const dataDir = tempDir();
  const [first, second, third] = [leadNights(dataDir), leadNights(dataDir), leadNights(dataDir)];
  expect([first.isLeader(), second.isLeader(), first.isLeader()]).toEqual([true, false, true]);
  first.release();
  expect([second.isLeader(), second.isLeader()]).toEqual([true, true]);
  expect(third.isLeader()).toBe(false);
  for (const lead of [second, third]) lead.release();
});

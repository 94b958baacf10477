import { describe, expect, it } from 'vitest';
import { tempDir } from '../../testing/store/temp-store.ts';
import { ConfigError } from './errors.ts';
import { leadNights, shareServing } from './lock.ts';

it('of several servers of a folder one leads at night, and the next one after its end', () => {
  const dataDir = tempDir();
  const [first, second, third] = [leadNights(dataDir), leadNights(dataDir), leadNights(dataDir)];
  expect([first.isLeader(), second.isLeader(), first.isLeader()]).toEqual([true, false, true]);
  first.release();
  expect([second.isLeader(), second.isLeader()]).toEqual([true, true]);
  expect(third.isLeader()).toBe(false);
  for (const lead of [second, third]) lead.release();
});

describe('of servers that start on one folder at the same time', () => {
  it('the later one waits while the first cleans up, however long, and does not do it again', async () => {
    const dataDir = tempDir();
    const cleaning = Promise.withResolvers<null>();
    const cleaned: string[] = [];
    const first = shareServing(dataDir, async () => {
      await cleaning.promise;
      cleaned.push('first');
    });
    const second = shareServing(dataDir, async () => cleaned.push('second'));
    cleaning.resolve(null);
    const serving = await Promise.all([first, second]);
    expect(cleaned).toEqual(['first']);
    for (const lock of serving) await lock.release();
  });

  it('the later one cleans up if the first fails at it', async () => {
    const dataDir = tempDir();
    const cleaning = Promise.withResolvers<null>();
    const first = shareServing(dataDir, () => cleaning.promise);
    const cleaned: string[] = [];
    const second = shareServing(dataDir, async () => cleaned.push('second'));
    cleaning.reject(new Error('killed'));
    await expect(first).rejects.toThrow('killed');
    await (await second).release();
    expect(cleaned).toEqual(['second']);
  });

  it('the later one says that another is still starting if it has waited long enough', async () => {
    const dataDir = tempDir();
    const cleaning = Promise.withResolvers<null>();
    const first = shareServing(dataDir, () => cleaning.promise);
    const second = shareServing(dataDir, async () => undefined, 0);
    await expect(second).rejects.toThrow(ConfigError);
    await expect(second).rejects.toThrow(/still starting.*Try again/);
    cleaning.resolve(null);
    await (await first).release();
  });
});

import { describe, expect, test } from 'vitest';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { uniqueHumanId } from './get-status.ts';

describe('decisions §4.7: unique_human_id', () => {
  test('is the same for one person within a company, and different in every other', async () => {
    const deps = { db: await openTempStore(), clock: testClock() };
    const alice = await uniqueHumanId(deps, 'one', 'alice');
    expect(alice).toMatch(/^uh_[A-Za-z0-9_-]{43}$/);
    expect(await uniqueHumanId(deps, 'one', 'alice')).toBe(alice);
    expect(await uniqueHumanId(deps, 'one', 'bob')).not.toBe(alice);
    expect(await uniqueHumanId(deps, 'two', 'alice')).not.toBe(alice);
  });

  test('two calls that need it first at the same time get the same', async () => {
    const deps = { db: await openTempStore(), clock: testClock() };
    const [one, two] = await Promise.all([
      uniqueHumanId(deps, 'one', 'alice'),
      uniqueHumanId(deps, 'one', 'alice'),
    ]);
    expect(one).toBe(two);
  });
});

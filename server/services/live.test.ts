import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { utcDay } from '../domain/days.ts';
import { openTestService } from '../../testing/service/temp-service.ts';
import { createCompany } from './companies/companies.ts';
import { createLiveBus, type LiveListener, readChangeVersions } from './live.ts';

it('a change within the first second of a stream is announced', async () => {
  const { deps, clock, scope } = await openTestService();
  const live = createLiveBus(deps.db, clock, deps.events, () => undefined);
  const notify = vi.fn();
  onTestFinished(
    live.listen({ scope: scope('test'), notify, began: () => undefined, drained: () => undefined }),
  );
  await wait(100);
  await createCompany(deps.db, clock, { name: 'Another venue', actor: 'cli' });
  await expect.poll(() => notify).toHaveBeenCalledWith(expect.objectContaining({ topic: 'audit' }));
});

it.each(['scope', 'installation'] as const)(
  'the reply to a change has the version that the stream announces for it: %s',
  async (about) => {
    const { deps, clock, scope } = await openTestService();
    const live = createLiveBus(deps.db, clock, deps.events, () => undefined);
    const notify = vi.fn<LiveListener['notify']>();
    onTestFinished(
      live.listen({ scope: scope('test'), notify, began: () => undefined, drained: () => undefined }),
    );
    const announced = () =>
      notify.mock.calls.flatMap(([{ topic, version }]) => (topic === 'audit' ? version : []));
    const change = () => createCompany(deps.db, clock, { name: 'Another venue', actor: 'cli' });
    // Changes committed before the stream has its baseline are not announced.
    await expect.poll(() => change().then(announced), { interval: 1_500, timeout: 30_000 }).not.toEqual([]);
    await change();
    const of = about === 'scope' ? scope('test') : null;
    const { audit = '' } = await readChangeVersions(deps.db, of, utcDay(clock.now()));
    await expect.poll(() => announced().at(-1), { timeout: 30_000 }).toMatch(new RegExp(`${audit}$`));
  },
);

it('each listener gets the versions that changes are announced from, once `listen` has returned', async () => {
  const { deps, clock, scope } = await openTestService();
  const live = createLiveBus(deps.db, clock, deps.events, () => undefined);
  const began = [vi.fn<LiveListener['began']>(), vi.fn<LiveListener['began']>()];
  for (const one of began) {
    onTestFinished(
      live.listen({ scope: scope('test'), notify: () => undefined, began: one, drained: () => undefined }),
    );
    expect(one).not.toHaveBeenCalled();
    await expect.poll(() => one, { timeout: 30_000 }).toHaveBeenCalledOnce();
  }
  expect(began[1]?.mock.calls).toEqual(began[0]?.mock.calls);
});

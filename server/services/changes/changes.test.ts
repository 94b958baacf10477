import { expect, it, onTestFinished, vi } from 'vitest';
import { utcDay } from '../../domain/days.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { run } from '../../../testing/service/runs.ts';
import { readMarkers } from '../../store/changes/markers.ts';
import { createCompany } from '../companies/companies.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { initialize } from '../runs/initialize.ts';
import { createChangeFeed, type ChangeListener, readChangeVersions } from './changes.ts';

/** A stream from its baseline on. `announced` lets a second pass and returns the versions of the audit log so far. */
async function openStream() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { deps, clock, scope } = await openTestService();
  const changes = createChangeFeed(deps.db, clock, deps.events, () => undefined);
  const [notify, began] = [vi.fn<ChangeListener['notify']>(), vi.fn<ChangeListener['began']>()];
  onTestFinished(changes.listen({ scope: scope('test'), notify, began, drained: () => undefined }));
  await expect.poll(() => began).toHaveBeenCalledOnce();
  const announced = () => {
    vi.advanceTimersByTime(1_000);
    return notify.mock.calls.flatMap(([{ topic, version }]) => (topic === 'audit' ? version : []));
  };
  const change = () => createCompany(deps.db, clock, { name: 'Another venue', actor: 'cli' });
  return { deps, clock, scope, announced, change };
}

it('a change within the first second of a stream is announced', async () => {
  const { announced, change } = await openStream();
  await change();
  await expect.poll(announced).not.toEqual([]);
});

it.each(['scope', 'installation'] as const)(
  'the reply to a change has the version that the stream announces for it: %s',
  async (about) => {
    const { deps, clock, scope, announced, change } = await openStream();
    await change();
    await change();
    const of = about === 'scope' ? scope('test') : null;
    const { audit = '' } = await readChangeVersions(deps.db, of, utcDay(clock.now()));
    await expect.poll(() => announced().at(-1)).toMatch(new RegExp(`${audit}$`));
  },
);

it('each listener gets the versions that changes are announced from, once `listen` has returned', async () => {
  const { deps, clock, scope } = await openTestService();
  const changes = createChangeFeed(deps.db, clock, deps.events, () => undefined);
  const began = [vi.fn<ChangeListener['began']>(), vi.fn<ChangeListener['began']>()];
  for (const one of began) {
    onTestFinished(
      changes.listen({ scope: scope('test'), notify: () => undefined, began: one, drained: () => undefined }),
    );
    expect(one).not.toHaveBeenCalled();
    await expect.poll(() => one, { timeout: 30_000 }).toHaveBeenCalledOnce();
  }
  expect(began[1]?.mock.calls).toEqual(began[0]?.mock.calls);
});

it('a new session is announced even if the clock of its node is behind that of the one before, or both have one time', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const key = await service.caller('sk_test');
  const seen: string[] = [];
  for (const laterMs of [0, 0, -2_000, 1_000]) {
    clock.advance(laterMs);
    await initialize(deps, key, {});
    seen.push((await readMarkers(deps.db, service.scope('test'), utcDay(clock.now()))).session);
  }
  expect(new Set(seen).size).toBe(4);
});

it('each erasure by any process is announced to pages that may show the person, even if clocks disagree', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const scope = service.scope('test');
  for (const face of ['alice', 'bob']) await run(service, face);
  const people = await deps.db.all<{ id: string }>('SELECT id FROM people ORDER BY id');
  const markers = () => readMarkers(deps.db, scope, utcDay(clock.now()));
  for (const { id } of people) {
    const before = await markers();
    await eraseOnePerson(deps, scope, id, 'cli');
    const after = await markers();
    for (const topic of ['session', 'case'] as const)
      expect([topic, after[topic] === before[topic]]).toEqual([topic, false]);
    // As on another node, or after the clock was corrected.
    clock.advance(-1_000);
  }
});

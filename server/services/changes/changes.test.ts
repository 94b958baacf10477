import { expect, it, onTestFinished, vi } from 'vitest';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { passOf, run } from '../../../testing/service/runs.ts';
import type { ChangeTopic } from '../../contract/console/changes.ts';
import { EVERYTHING } from '../../store/sql/followers.ts';
import { type SqlTx, TOPICS } from '../../store/sql/port.ts';
import { changeDailyLimit, createCompany } from '../companies/companies.ts';
import { setMaintenance } from '../maintenance/maintenance.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { clearTestData } from '../people/test-data.ts';
import { initialize } from '../runs/initialize.ts';
import { addKiosk } from '../venue/kiosks.ts';
import { followChanges, fromPage } from './changes.ts';

/** What a page of the company is told. */
function pageOf(
  { deps, company }: TestService,
  page?: string,
  companyId = company.company_id,
  audited?: readonly string[],
) {
  const told: ChangeTopic[] = [];
  let healthChanged: () => void = () => undefined;
  const health = {
    onChange(listener: () => void) {
      healthChanged = listener;
      return () => undefined;
    },
  };
  let maintenanceBegins: () => void = () => undefined;
  const maintenance = {
    follow(listener: () => void) {
      maintenanceBegins = listener;
      return () => undefined;
    },
  };
  const ports = { db: deps.db, health, maintenance };
  const end = followChanges(ports, { companyId, audited, page }, (topic) => told.push(topic));
  onTestFinished(end);
  /** All of these, and whatever else. */
  const isTold = (...topics: ChangeTopic[]) =>
    vi.waitFor(() => expect(new Set(told)).toEqual(new Set([...told, ...topics])), 30_000);
  return {
    told,
    isTold,
    end,
    healthChanged: () => healthChanged(),
    maintenanceBegins: () => maintenanceBegins(),
  };
}

it('pages learn what a check, a person and the service change', async () => {
  const service = await openTestService();
  const { deps, clock, company, scope } = service;
  const told = async (act: () => Promise<unknown>, ...topics: ChangeTopic[]) => {
    const page = pageOf(service);
    await act();
    await page.isTold(...topics);
    page.end();
  };
  const key = await service.caller('sk_test');
  const companyId = company.company_id;
  await told(() => initialize(deps, key, {}), 'session');
  await told(() => run(service, 'alice', { config: { skip: { window_hours: 0 } } }), 'session', 'usage');
  await told(
    () => run(service, 'alice', { config: { skip: { window_hours: 0 }, collision: { action: 'review' } } }),
    'session',
    'case',
  );
  await told(() => addKiosk(deps, companyId, { name: 'Door' }, 'cli'), 'venue', 'audit');
  await told(
    () => changeDailyLimit(deps.db, clock, { companyId, dailyLimit: 7, reason: 'test', actor: 'cli' }),
    'usage',
    'audit',
  );
  await told(() => setMaintenance(deps.db, clock, { on: true, until: null }, 'cli'), 'maintenance', 'audit');
  await told(() => createCompany(deps.db, clock, { name: 'Another venue', actor: 'cli' }), 'audit');
  const bob = await passOf(service, await run(service, 'bob'));
  await told(
    () => eraseOnePerson(deps, scope('test'), bob.personId ?? '', 'cli'),
    'session',
    'case',
    'audit',
  );
  await told(
    () => clearTestData(deps.db, clock, { companyId, before: null, actor: 'cli' }),
    'session',
    'audit',
  );
});

it('a page learns nothing of a check, an act or a case in another company that its operator may not see', async () => {
  const service = await openTestService();
  const other = { ...service, ...(await service.otherCompany()) };
  const own = service.company.company_id;
  const stranger = pageOf(service, undefined, own, [own]);
  const owner = pageOf(service, undefined, other.company.company_id);
  const config = { skip: { window_hours: 0 }, collision: { action: 'review' } };
  for (const _time of [1, 2]) await run(other, 'alice', { config });
  await addKiosk(service.deps, other.company.company_id, { name: 'Door' }, 'cli');
  await owner.isTold('session', 'case', 'usage', 'venue', 'audit');
  // What is told afterwards, by an act of its own, comes after whatever came before.
  await addKiosk(service.deps, own, { name: 'Door' }, 'cli');
  await stranger.isTold('venue', 'audit');
  expect(new Set(stranger.told)).toEqual(new Set(['venue', 'audit']));
});

it('what another process or an interruption hides, and what changed the health, is told, too', async () => {
  const service = await openTestService();
  const page = pageOf(service);
  for (const { topic } of EVERYTHING) service.deps.db.announce(topic);
  await page.isTold('session', 'case', 'webhook', 'usage', 'maintenance', 'audit', 'venue');
  expect(page.told).not.toContain('health');
  page.healthChanged();
  await page.isTold('health');
});

it('many changes become one event at first, and later one a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await openTestService();
  const { told, end } = pageOf(service);
  const many = () => {
    for (let n = 0; n < 20; n += 1) service.deps.db.announce('session', service.company.company_id);
  };
  const counts: number[] = [];
  for (const waitMs of [200, 999, 1, 1_000]) {
    many();
    vi.advanceTimersByTime(waitMs);
    counts.push(told.filter((topic) => topic === 'session').length);
  }
  expect(counts).toEqual([1, 1, 2, 3]);
  many();
  end();
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveLength(3);
});

/** Announces in a transaction. */
const announcing = (service: TestService, ...topics: Parameters<SqlTx['afterCommit']>[0][]) =>
  service.deps.db.tx(async (tx) => {
    await tx.one('SELECT 1 AS one');
    for (const topic of topics) tx.afterCommit(topic, service.company.company_id);
  });

it('a page is not told what the reply to its own change shows; every other page is, also when several commit together', async () => {
  const service = await openTestService();
  const [own, other] = [pageOf(service, 'own'), pageOf(service, 'other')];
  const change = () => announcing(service, 'audit', 'session');
  await Promise.all([fromPage('own', ['audit'], change), announcing(service, 'venue')]);
  await other.isTold('audit', 'session', 'venue');
  await own.isTold('session', 'venue');
  expect(own.told).not.toContain('audit');
  // Somebody else's, in the same moment as its own.
  await Promise.all([fromPage('own', ['audit'], change), announcing(service, 'audit')]);
  await own.isTold('audit');
});

it('what follows a change, or continues after its reply, is told to the page that made it', async () => {
  const service = await openTestService();
  const { db } = service.deps;
  const page = pageOf(service, 'own');
  onTestFinished(db.follow('decisions', () => void announcing(service, 'case')));
  let continued = Promise.resolve();
  await fromPage('own', TOPICS, async () => {
    await announcing(service, 'decisions');
    continued = Promise.resolve().then(async () => {
      await vi.waitFor(() => expect(page.told).toContain('case'), 30_000);
      await announcing(service, 'usage');
    });
  });
  await continued;
  await page.isTold('usage');
});

it('maintenance that begins by the clock is told, as nothing commits then', async () => {
  const page = pageOf(await openTestService());
  page.maintenanceBegins();
  await page.isTold('maintenance');
});

it('phone codes are told to their company, and those for a person’s own page to all', async () => {
  const service = await openTestService();
  const [own, other] = [pageOf(service), pageOf(service, undefined, 'another')];
  const announce = (subject?: string) =>
    service.deps.db.tx(async (tx) => {
      await tx.one('SELECT 1 AS one');
      tx.afterCommit('codes', subject);
    });
  await announce(service.company.company_id);
  await own.isTold('codes');
  expect(other.told).toEqual([]);
  await announce();
  await other.isTold('codes');
});

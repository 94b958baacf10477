import { expect, it } from 'vitest';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { claimSettlement, countOutcome } from '../../store/usage/usage.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { changeDailyLimit } from '../companies/companies.ts';
import { readCapChanges, readDays, readParts, readToday, usageRange } from './usage.ts';
import { exportUsage } from './export.ts';

const ACTOR = 'operator:ada' as const;
const CAP = 1_000;

type Counted = { day: string; verificationId: string; group: string | null; outcome: string };

async function count({ deps, scope }: TestService, results: readonly Counted[], partition = 'live' as const) {
  await deps.db.tx(async (tx) => {
    for (const result of results) {
      await claimSettlement(tx, scope(partition), result.day, CAP);
      await countOutcome(tx, scope(partition), result);
    }
  });
}

const result = (day: string, outcome: string, group: string | null = null): Counted => ({
  day,
  verificationId: 'v-1',
  group,
  outcome,
});

it('every day of the range is listed, including those without guests, and live separately from test', async () => {
  const service = await openTestService();
  const { deps, scope } = service;
  await count(service, [
    result('2026-03-01', 'approved'),
    result('2026-03-01', 'flagged'),
    result('2026-03-03', 'review'),
    result('2026-03-03', 'collision'),
  ]);
  const range = usageRange(deps, { from: '2026-03-01', to: '2026-03-03' });
  expect(await readDays(deps.db, scope('live'), range)).toEqual([
    { day: '2026-03-01', counted: 2, approved: 2, in_review: 0, denied: 0 },
    { day: '2026-03-02', counted: 0, approved: 0, in_review: 0, denied: 0 },
    { day: '2026-03-03', counted: 2, approved: 0, in_review: 1, denied: 1 },
  ]);
  const test = await readDays(deps.db, scope('test'), range);
  expect(test.every(({ counted }) => counted === 0)).toBe(true);
});

it('a range defaults to ninety days, and is at most a year', async () => {
  const { deps } = await openTestService();
  const { from, to } = usageRange(deps, {});
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(89);
  for (const [range, code] of [
    [{ from: '2026-03-02', to: '2026-03-01' }, 'invalid_day_range'],
    [{ from: '2020-01-01', to: '2026-03-01' }, 'invalid_day_range'],
    [{ from: '2026-13-45', to: '2026-03-01' }, 'invalid_day'],
  ] as const) {
    expect(() => usageRange(deps, range)).toThrow(expect.objectContaining({ code }));
  }
});

it('usage is listed by group, highest first, with a verification’s own name', async () => {
  const service = await openTestService();
  const { deps, scope } = service;
  await service.verification('v-1', { externalId: 'north-gate' });
  await count(service, [
    result('2026-03-01', 'approved', 'friday'),
    result('2026-03-01', 'approved', 'friday'),
    result('2026-03-02', 'approved'),
  ]);
  const range = { from: '2026-03-01', to: '2026-03-02' };
  expect(await readParts(deps.db, scope('live'), range, 'group')).toEqual({
    items: [
      { key: 'friday', verification: null, results: 2 },
      { key: '', verification: null, results: 1 },
    ],
    rest: 0,
  });
  expect((await readParts(deps.db, scope('live'), range, 'verification')).items).toMatchObject([
    { key: 'v-1', verification: { label: 'north-gate', is_default: false }, results: 3 },
  ]);
});

it('today is compared with the cap', async () => {
  const service = await openTestService();
  const { deps, scope, clock } = service;
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  await count(service, [result(day, 'approved'), result(day, 'approved')]);
  expect(await readToday(deps, scope('live'), CAP)).toMatchObject({
    day,
    counted: 2,
    cap: CAP,
    forecast: { per_hour: null, by_midnight: null, cap_reached_at: null },
  });
});

it('a changed cap keeps its history with the reason, in one transaction with the audit log', async () => {
  const { deps, company, clock } = await openTestService();
  const change = { companyId: company.company_id, actor: ACTOR };
  await changeDailyLimit(deps.db, clock, { ...change, dailyLimit: 10, reason: 'a small night' });
  await changeDailyLimit(deps.db, clock, { ...change, actor: 'cli', dailyLimit: 20 });
  const { items } = await readCapChanges(deps.db, company.company_id, { limit: 1 });
  expect(items).toMatchObject([{ from_limit: 10, daily_limit: 20, changed_by: 'cli', reason: null }]);
  const all = await readCapChanges(deps.db, company.company_id, {});
  expect(all.items[1]).toMatchObject({ from_limit: 66_000, daily_limit: 10, reason: 'a small night' });
  expect(await listAuditEntries(deps.db, { action: 'limit.set' }, null, 5)).toHaveLength(2);
});

it('the export is CSV in the words of the page, which no spreadsheet executes, and is recorded', async () => {
  const service = await openTestService();
  const { deps, scope } = service;
  await count(service, [result('2026-03-01', 'approved', '=HYPERLINK("x")')]);
  const lines: string[] = [];
  const range = { from: '2026-03-01', to: '2026-03-01' };
  for await (const line of exportUsage(deps, scope('live'), range, { actor: ACTOR, language: 'fr' }))
    lines.push(line);
  expect(lines).toEqual([
    '\uFEFFJour,Données,verification_id,Groupe,Résultat,outcome,Résultats\r\n',
    '2026-03-01,Réel,v-1,"\'=HYPERLINK(""x"")",Admis,approved,1\r\n',
  ]);
  expect(await listAuditEntries(deps.db, { action: 'usage.export' }, null, 5)).toHaveLength(1);
});

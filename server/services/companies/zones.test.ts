/** Product, "Everywhere": times in the venue's zone. */
import { describe, expect, it } from 'vitest';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { createCompany } from './companies.ts';
import { planMaintenance, readMaintenanceState, switchMaintenance } from '../maintenance/plan.ts';
import { exportAudit, readAuditPage } from '../operators/audit-log.ts';
import type { SignedIn } from '../operators/operator-session.ts';
import { listSessionItems } from '../passes/list.ts';
import { usageRange } from '../usage/usage.ts';
import { createEvent } from '../venue/events.ts';
import { changeVenueZone, readVenueZones, venueRange, venueTime } from './zones.ts';

it('each company has the time zone of its venue, whose change is recorded', async () => {
  const { deps, company } = await openTestService();
  const own = company.company_id;
  const { company_id: other } = await createCompany(deps.db, deps.clock, { name: 'Other', actor: 'cli' });
  expect(await readVenueZones(deps.db)).toEqual({});
  await changeVenueZone(deps, { companyId: own, zone: 'Europe/Berlin', actor: 'operator:ana' });
  await changeVenueZone(deps, { companyId: other, zone: 'Pacific/Auckland', actor: 'operator:ana' });
  expect(await readVenueZones(deps.db)).toEqual({ [own]: 'Europe/Berlin', [other]: 'Pacific/Auckland' });
  await changeVenueZone(deps, { companyId: own, zone: null, actor: 'operator:ana' });
  expect(await readVenueZones(deps.db)).toEqual({ [other]: 'Pacific/Auckland' });
  const entries = await deps.db.all<{ details: string }>(
    "SELECT details FROM audit_entries WHERE action = 'company.zone' AND company_id = ? ORDER BY seq",
    own,
  );
  expect(entries.map(({ details }) => JSON.parse(details) as unknown)).toEqual([
    { from: null, to: 'Europe/Berlin' },
    { from: 'Europe/Berlin', to: null },
  ]);
});

it('zones of several companies that are changed at the same time are all kept', async () => {
  const { deps } = await openTestService();
  const ids: string[] = [];
  for (const name of ['A', 'B', 'C', 'D'])
    ids.push((await createCompany(deps.db, deps.clock, { name, actor: 'cli' })).company_id);
  await Promise.all(
    ids.map((companyId) =>
      changeVenueZone(deps, { companyId, zone: 'Europe/Berlin', actor: 'operator:ana' }),
    ),
  );
  expect(Object.keys(await readVenueZones(deps.db)).sort()).toEqual(ids.sort());
});

describe('times that are written', () => {
  async function venue(zone: string) {
    const service = await openTestService();
    const companyId = service.company.company_id;
    await changeVenueZone(service.deps, { companyId, zone, actor: 'cli' });
    return { ...service, companyId, scope: service.scope('live') };
  }

  it('without an offset are the venue’s: of events, maintenance and filters', async () => {
    const { deps, clock, companyId, scope } = await venue('Asia/Tokyo');
    clock.set(Date.parse('2026-11-21T00:00:00Z'));
    const change = { name: 'Gala', starts_at: '2026-11-22T18:00', ends_at: '2026-11-23' };
    expect(await createEvent(deps, scope, change, 'cli')).toMatchObject({
      starts_at: '2026-11-22T09:00:00.000Z',
      ends_at: '2026-11-22T15:00:00.000Z',
    });
    // The installation is where its only company is.
    const plan = { starts_at: '2026-11-22T18:00', ends_at: '2026-11-22T10:00Z', notice: '' };
    await planMaintenance(deps, plan, 'cli');
    await switchMaintenance(deps, { on: true, until: '2026-11-21T12:00' }, 'cli');
    expect(await readMaintenanceState(deps)).toMatchObject({
      until: '2026-11-21T03:00:00.000Z',
      planned: [{ starts_at: '2026-11-22T09:00:00.000Z', ends_at: '2026-11-22T10:00:00.000Z' }],
    });
    expect(await venueRange(deps.db, companyId, { from: '2026-11-21', to: '2026-11-22T00:00' })).toEqual({
      fromMs: Date.parse('2026-11-20T15:00:00Z'),
      toMs: Date.parse('2026-11-21T15:00:00Z'),
    });
  });

  it.each(['2027-02-29T10:00', '2027-02-29', '2026-11-21T24:60', '0002-11-21', '12026-01-01T00:00Z'])(
    '%s is refused everywhere, and nothing rolls over',
    async (text) => {
      const { deps, companyId, scope } = await venue('Europe/Berlin');
      const later = '2030-01-01T00:00Z';
      const reader = { operator: { id: 'o' }, isLimited: false, actor: 'operator:o' } as unknown as SignedIn;
      const refusals = await Promise.all([
        refusalOf(createEvent(deps, scope, { name: 'x', starts_at: text, ends_at: later }, 'cli')),
        refusalOf(createEvent(deps, scope, { name: 'x', starts_at: later, ends_at: text }, 'cli')),
        refusalOf(planMaintenance(deps, { starts_at: text, ends_at: later, notice: '' }, 'cli')),
        refusalOf(switchMaintenance(deps, { on: true, until: text }, 'cli')),
        refusalOf(listSessionItems(deps, scope, { from: text }, 'admin')),
        refusalOf(readAuditPage(deps.db, { to: text }, reader)),
        refusalOf(exportAudit(deps, { from: text }, reader)),
        refusalOf(venueTime(deps.db, companyId, text)),
      ]);
      expect(new Set(refusals)).toEqual(new Set(['invalid_time']));
    },
  );

  it('days of usage are real days', () => {
    const range = (day: string) => usageRange({ clock: { now: () => 0 } }, { from: day, to: day });
    expect(range('2028-02-29')).toEqual({ from: '2028-02-29', to: '2028-02-29' });
    for (const day of ['2027-02-29', '0002-01-01']) expect(() => range(day)).toThrow(day);
  });
});

it.each(['Berlin', '', 'Europe/Nowhere'])('"%s" is no time zone', async (zone) => {
  const { deps, company } = await openTestService();
  const change = { companyId: company.company_id, zone, actor: 'operator:ana' } as const;
  expect(await refusalOf(changeVenueZone(deps, change))).toBe('invalid_zone');
  expect(await readVenueZones(deps.db)).toEqual({});
});

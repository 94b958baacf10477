/** Product, "Everywhere": times in the venue's zone. */
import { expect, it } from 'vitest';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { createCompany } from './companies.ts';
import { changeVenueZone, readVenueZones } from './zones.ts';

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

it.each(['Berlin', '', 'Europe/Nowhere'])('"%s" is no time zone', async (zone) => {
  const { deps, company } = await openTestService();
  const change = { companyId: company.company_id, zone, actor: 'operator:ana' } as const;
  expect(await refusalOf(changeVenueZone(deps, change))).toBe('invalid_zone');
  expect(await readVenueZones(deps.db)).toEqual({});
});

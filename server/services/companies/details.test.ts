/** A company's name and privacy contact can be changed, and the change is recorded. */
import { expect, it } from 'vitest';
import { initialize } from '../runs/initialize.ts';
import { openSession } from '../runs/flow.ts';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { createCompany } from './companies.ts';
import { changeCompany, onlyContact, readPrivacyContact } from './details.ts';

const ACTOR = 'operator:ana';

it('name and contact are changed apart, shown to guests, and recorded with the earlier values', async () => {
  const service = await openTestService();
  const { deps, company } = service;
  const companyId = company.company_id;
  const change = (what: Parameters<typeof changeCompany>[1]['change']) =>
    changeCompany(deps, { companyId, change: what, actor: ACTOR });
  await change({ name: ' Blue Room ' });
  expect(await change({ privacy_contact: 'privacy@blue.example' })).toEqual({
    name: 'Blue Room',
    privacy_contact: 'privacy@blue.example',
  });
  const { session_id: id } = await initialize(deps, await service.caller('sk_test'), {});
  const { snapshot } = await openSession(deps, id ?? '', { device: 'mobile' }, null);
  expect(snapshot.branding).toMatchObject({
    organiser: 'Blue Room',
    privacy_contact: 'privacy@blue.example',
  });
  expect(await onlyContact(deps.db)).toEqual({
    organiser: 'Blue Room',
    privacy_contact: 'privacy@blue.example',
  });
  await change({ privacy_contact: ' ' });
  expect(await readPrivacyContact(deps.db, companyId)).toBeNull();
  await change({ name: 'Blue Room' });
  const entries = await deps.db.all<{ details: string }>(
    "SELECT details FROM audit_entries WHERE action = 'company.change' AND company_id = ? ORDER BY seq",
    companyId,
  );
  expect(entries).toHaveLength(3);
  expect(JSON.parse(entries[0]?.details ?? '')).toEqual({
    from: { name: 'Venue', privacy_contact: null },
    to: { name: 'Blue Room', privacy_contact: null },
    changed: ['name'],
  });
});

it('of several companies none speaks for all, and an unknown one is not found', async () => {
  const { deps } = await openTestService();
  await createCompany(deps.db, deps.clock, { name: 'Other', actor: 'cli' });
  expect(await onlyContact(deps.db)).toEqual({ organiser: null, privacy_contact: null });
  const unknown = { companyId: 'nobody', change: { name: 'X' }, actor: ACTOR } as const;
  expect(await refusalOf(changeCompany(deps, unknown))).toBe('not_found');
});

/** §3.18: no name has invisible characters, and none only looks like an existing one. */
import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { createCompany } from '../companies/companies.ts';
import { changeCompany } from '../companies/details.ts';
import { createOperator } from '../operators/operators.ts';
import { changeOperator } from '../operators/change.ts';
import { changeEvent, createEvent } from '../venue/events.ts';
import { addKiosk, changeKiosk } from '../venue/kiosks.ts';

const actor = 'cli';
const TIMES = { starts_at: '2027-01-01T10:00Z', ends_at: '2027-01-02T10:00Z' };

const kiosksOf = ({ deps }: TestService) => ({ ...deps, randomInt: (n: number) => randomInt(n) });

/** Creates something of that name. */
const CREATE: Record<string, (service: TestService, name: string) => Promise<unknown>> = {
  operator: ({ deps }, name) =>
    createOperator(
      { ...deps, randomInt: (n: number) => randomInt(n) },
      { name, role: 'staff', origin: 'cli', actor },
    ),
  company: ({ deps, clock }, name) => createCompany(deps.db, clock, { name, actor }),
  event: (service, name) => createEvent(service.deps, service.scope('live'), { name, ...TIMES }, actor),
  kiosk: (service, name) =>
    addKiosk(kiosksOf(service), service.company.company_id, { name, event_id: null }, actor),
};

it.each(Object.keys(CREATE))('the name of a new %s', async (kind) => {
  const service = await openTestService();
  const create = (name: string) => CREATE[kind]?.(service, name);
  await create('Paradise');
  for (const name of ['Par\u200badise', '\u202eesidaraP', 'Paradise\u0007', 'Par\u00adadise']) {
    await expect(create(name)).rejects.toMatchObject({ code: 'name_unseen' });
  }
  for (const name of ['Раrаdise', 'Pаradise', 'Par\u0430dise']) {
    await expect(create(name)).rejects.toMatchObject({
      code: 'name_looks_alike',
      facts: { args: { name: 'Paradise' } },
    });
  }
  for (const name of ['بهشت', 'می\u200cخواهم', 'क्\u200dष', 'Paradiso', 'Paradise 2']) await create(name);
});

it('a new name of an existing one', async () => {
  const service = await openTestService();
  const { deps, company } = service;
  const made = await createEvent(deps, service.scope('live'), { name: 'Paradise', ...TIMES }, actor);
  const other = await createEvent(deps, service.scope('live'), { name: 'Elysium', ...TIMES }, actor);
  const rename = (name: string, id = other.event_id) =>
    changeEvent(deps, service.scope('live'), id, { name, reason: 'x' }, actor);
  await expect(rename('Pаradise')).rejects.toMatchObject({ code: 'name_looks_alike' });
  // Its own name in other letters deceives nobody.
  await rename('PARADISE', made.event_id);
  await createCompany(deps.db, service.clock, { name: 'Paradise', actor });
  const renamedCompany = changeCompany(deps, {
    companyId: company.company_id,
    change: { name: 'Pаradise' },
    actor,
  });
  await expect(renamedCompany).rejects.toMatchObject({ code: 'name_looks_alike' });
  const ada = await createOperator(
    { ...deps, randomInt: (n: number) => randomInt(n) },
    { name: 'Ada', role: 'staff', origin: 'cli', actor },
  );
  await CREATE['operator']?.(service, 'Ben');
  const renamed = changeOperator(deps, ada.operator.operator_id, { name: 'Веn' }, { reason: 'x', actor });
  await expect(renamed).rejects.toMatchObject({ code: 'name_looks_alike' });
  const door = await addKiosk(kiosksOf(service), company.company_id, { name: 'Door', event_id: null }, actor);
  await addKiosk(kiosksOf(service), company.company_id, { name: 'Bar', event_id: null }, actor);
  const kiosk = changeKiosk(
    kiosksOf(service),
    company.company_id,
    door.kiosk.kiosk_id,
    { name: 'Ваr' },
    actor,
  );
  await expect(kiosk).rejects.toMatchObject({ code: 'name_looks_alike' });
});

import { expect, it } from 'vitest';
import { listCompanies } from '../../store/companies/companies.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { verifyAudit } from '../../store/operators/audit.ts';
import { findDefaultVerification } from '../../store/companies/verifications.ts';
import { testInstallation } from '../../../testing/service/installation.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { openTempStore } from '../../../testing/service/temp-store.ts';
import { authenticateV3 } from '../keys/keys.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { createLiveBus } from '../live.ts';
import { newSetupCode, readSetupState, setUp } from './setup.ts';

const HERE = { address: '127.0.0.1', device: 'test', isLocal: true };
const REQUEST = { name: 'Ada', passphrase: 'lemon orbit quartz harbour', company_name: 'Arena' };

async function consoleDeps({ empty = false, setupCode = null as string | null } = {}) {
  const service = await openTestService();
  const db = empty ? await openTempStore() : service.deps.db;
  const deps: ConsoleDeps = {
    ...service.deps,
    db,
    setupCode,
    installation: testInstallation(db, service.clock),
    live: createLiveBus(db, service.clock, service.deps.events, () => undefined),
  };
  return { ...service, deps };
}

it('without a company it makes one whose default verification asks a reviewer', async () => {
  const { deps } = await consoleDeps({ empty: true });
  expect(await readSetupState(deps, { isLocal: true })).toMatchObject({ needed: true, code_required: false });
  const { response } = await setUp(deps, REQUEST, HERE);
  expect(response).toMatchObject({ adopted: false, me: { operator: { name: 'Ada', role: 'admin' } } });
  const verification = await findDefaultVerification(deps.db, response.company_id);
  expect(verification?.config).toEqual({ collision: { action: 'review' } });
  expect(await readSetupState(deps, { isLocal: true })).toMatchObject({ needed: false });
});

it('the company that is there is renamed, keeps its keys and gets a further set', async () => {
  const { deps, company, clock } = await consoleDeps();
  const { response } = await setUp(deps, REQUEST, HERE);
  expect(response).toMatchObject({ adopted: true, company_id: company.company_id });
  expect(await listCompanies(deps.db)).toMatchObject([{ name: 'Arena' }]);
  for (const key of [company.keys.sk_live, response.keys.sk_live]) {
    await expect(
      authenticateV3(deps.db, key, { secretOnly: true, nowMs: clock.now() }),
    ).resolves.toMatchObject({ scope: { companyId: company.company_id } });
  }
  const [entry] = await listAuditEntries(deps.db, { action: 'company.adopt' }, null, 1);
  expect(entry).toMatchObject({ actorName: 'Ada', companyId: company.company_id });
  expect(await verifyAudit(deps.db)).toMatchObject({ brokenAt: null });
});

it('of many at once one is done, and no second company comes of it', async () => {
  const { deps } = await consoleDeps({ empty: true });
  const all = await Promise.allSettled(
    ['Ada', 'Bob', 'Cleo', 'Dora'].map((name) => setUp(deps, { ...REQUEST, name }, HERE)),
  );
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(
    all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : [])),
  ).toEqual(Array(3).fill('setup_done'));
  expect(await listCompanies(deps.db)).toHaveLength(1);
});

it('from another machine the printed code is needed, and nothing is told before', async () => {
  const setupCode = newSetupCode();
  const { deps } = await consoleDeps({ setupCode });
  const away = { ...HERE, isLocal: false };
  expect(await readSetupState(deps, away)).toEqual({ needed: true, code_required: true, company_name: null });
  for (const wrong of [{}, { setup_code: '' }, { setup_code: newSetupCode() }]) {
    await expect(setUp(deps, { ...REQUEST, ...wrong }, away)).rejects.toMatchObject({
      code: 'setup_code_required',
    });
  }
  await expect(setUp(deps, { ...REQUEST, setup_code: setupCode }, away)).resolves.toBeDefined();
});

it('where no code was printed, no code is right', async () => {
  const { deps } = await consoleDeps();
  const away = { ...HERE, isLocal: false };
  await expect(setUp(deps, { ...REQUEST, setup_code: 'null' }, away)).rejects.toMatchObject({
    code: 'setup_code_required',
  });
});

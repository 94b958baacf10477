import { expect, it } from 'vitest';
import { listCompanies } from '../../store/companies/companies.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { verifyAudit } from '../../store/operators/audit.ts';
import { findDefaultVerification } from '../../store/companies/verifications.ts';
import { testInstallation } from '../../../testing/service/installation.ts';
import { BASE_URL, openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { addCompany, companyScope, listCompaniesOf, saveDemo } from '../companies/companies.ts';
import { readVenueZones } from '../companies/zones.ts';
import { authenticateV3 } from '../keys/keys.ts';
import { issueMissingKeys } from '../keys/manage.ts';
import { listOperatorRecords } from '../operators/records.ts';
import { readDoor } from '../venue/door.ts';
import { pairDevice } from '../venue/kiosk-pairing.ts';
import type { ConsoleDeps } from '../../routes/deps.ts';
import { readBackups } from '../backup/settings.ts';
import { newSetupCode, readFirstSteps, readSetupState, setUp } from './setup.ts';

const HERE = { address: '127.0.0.1', device: 'test', isLocal: true };
const REQUEST = { name: 'Ada', passphrase: 'lemon orbit quartz harbour', company_name: 'Arena' };

async function consoleDeps({ empty = false } = {}) {
  const service = await openTestService();
  const db = empty ? await openTempStore() : service.deps.db;
  const deps: ConsoleDeps = {
    ...service.deps,
    db,
    ...testInstallation(db, service.clock),
  };
  return { ...service, deps };
}

it('without a company it creates one whose default verification uses reviews', async () => {
  const { deps } = await consoleDeps({ empty: true });
  expect(await readSetupState(deps, { isLocal: true })).toMatchObject({ needed: true, code_required: false });
  const { response } = await setUp(deps, REQUEST, HERE);
  expect(response).toMatchObject({ adopted: false, me: { operator: { name: 'Ada', role: 'admin' } } });
  const verification = await findDefaultVerification(deps.db, response.company_id);
  expect(verification?.config).toEqual({ collision: { action: 'review' } });
  expect(await readSetupState(deps, { isLocal: true })).toMatchObject({ needed: false });
});

it('the first admin is signed in, and their last sign-in is now', async () => {
  const { deps } = await consoleDeps({ empty: true });
  await setUp(deps, REQUEST, HERE);
  const at = new Date(deps.clock.now()).toISOString();
  expect(await listOperatorRecords(deps)).toMatchObject([{ last_signed_in_at: at, open_sessions: 1 }]);
});

it('an existing company is renamed and keeps its keys', async () => {
  const { deps, company, clock } = await consoleDeps();
  const { response } = await setUp(deps, REQUEST, HERE);
  expect(response).toMatchObject({ adopted: true, company_id: company.company_id, kiosk: null });
  expect(await listCompanies(deps.db)).toMatchObject([{ name: 'Arena' }]);
  await expect(
    authenticateV3(deps.db, company.keys.sk_live, { secretOnly: true, nowMs: clock.now() }),
  ).resolves.toMatchObject({ scope: { companyId: company.company_id } });
  const [entry] = await listAuditEntries(deps.db, { action: 'company.adopt' }, null, 1);
  expect(entry).toMatchObject({ actorName: 'Ada', companyId: company.company_id });
  expect(await verifyAudit(deps.db)).toMatchObject({ brokenAt: null });
});

it('a new company gets its keys once, when an admin requests them', async () => {
  const { deps } = await consoleDeps({ empty: true });
  const { response } = await setUp(deps, REQUEST, HERE);
  const actor = `operator:${response.me.operator.operator_id}` as const;
  const asked = await Promise.allSettled(
    [1, 2].map(() => issueMissingKeys(deps, response.company_id, actor)),
  );
  expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('an owner who made the demo first signs in to their own company', async () => {
  const { deps, clock } = await consoleDeps({ empty: true });
  await deps.db.tx(async (tx) => {
    const demo = await addCompany(tx, clock.now(), { name: 'Sample festival', actor: 'cli' });
    await saveDemo(tx, { company_id: demo.company_id, size: 'small' });
  });
  clock.advance(60_000);
  const { response } = await setUp(deps, REQUEST, HERE);
  const { operator_id: operatorId } = response.me.operator;
  const companies = await listCompaniesOf(deps.db, operatorId);
  expect(companies.map(({ name }) => name)).toEqual([REQUEST.company_name, 'Sample festival']);
  const { scope } = await companyScope(deps.db, operatorId, {});
  expect(scope.companyId).toBe(response.company_id);
});

it('a first event runs from now on, with a kiosk that a device can be paired as', async () => {
  const { deps, clock } = await consoleDeps({ empty: true });
  const ends_at = new Date(clock.now() + 8 * 3_600_000).toISOString();
  const { response } = await setUp(deps, { ...REQUEST, event: { name: 'Opening night', ends_at } }, HERE);
  const scope = { companyId: response.company_id, partition: 'live' } as const;
  expect(await readDoor(deps, scope, { role: 'admin' })).toMatchObject({
    event: { name: 'Opening night', state: 'running', limit: { kind: 'total', max: 1 }, ends_at },
    kiosks: [{ state: 'waiting', event_name: 'Opening night' }],
  });
  const code = new URL(response.kiosk?.pairing_url ?? '').hash.replace('#code=', '');
  // On this machine no certificate is needed, whatever address other devices use.
  expect(response.kiosk?.pairing_url).toBe(`${BASE_URL}/kiosk#code=${code}`);
  expect(response.kiosk?.here_url).toBe(`${deps.connectUrl()}/kiosk#code=${code}`);
  expect(await pairDevice(deps, code)).toMatchObject({ kiosk_id: response.kiosk?.kiosk.kiosk_id });
});

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Europe/Nowhere', undefined],
])('the venue’s time zone is that of the owner’s computer, if it is known: %s', async (zone, stored) => {
  const { deps } = await consoleDeps({ empty: true });
  const { response } = await setUp(deps, { ...REQUEST, zone }, HERE);
  expect((await readVenueZones(deps.db))[response.company_id]).toBe(stored);
});

it('an event that ends before it starts creates nothing', async () => {
  const { deps } = await consoleDeps({ empty: true });
  const event = { name: 'Yesterday', ends_at: '2001-01-01T00:00:00Z' };
  await expect(setUp(deps, { ...REQUEST, event }, HERE)).rejects.toMatchObject({
    code: 'event_ends_before_start',
  });
  expect(await readSetupState(deps, { isLocal: true })).toMatchObject({ needed: true });
  expect(await listCompanies(deps.db)).toEqual([]);
});

it('on PostgreSQL, neither the first steps nor the settings lead to backups that only files have', async () => {
  const { deps, scope } = await consoleDeps();
  const isFile = deps.db.engine === 'sqlite';
  expect((await readFirstSteps(deps, scope('live'))).recovery).toBe(isFile ? false : null);
  expect((await readBackups(deps)).engine).toBe(isFile ? 'sqlite' : 'postgres');
});

it('a weak passphrase sets nothing up', async () => {
  const { deps } = await consoleDeps({ empty: true });
  expect(await refusalOf(setUp(deps, { ...REQUEST, passphrase: 'short' }, HERE))).toBe('weak_passphrase');
  expect(await listCompanies(deps.db)).toEqual([]);
});

it('of many at the same time one succeeds, and no second company is created', async () => {
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

it('from another machine it requires the code that any node has printed, and reveals nothing without it', async () => {
  const { deps } = await consoleDeps();
  const [setupCode] = [await newSetupCode(deps), await newSetupCode(deps)];
  const away = { ...HERE, isLocal: false };
  expect(await readSetupState(deps, away)).toEqual({
    needed: true,
    code_required: true,
    company_name: null,
    recovery: false,
    single_sign_on: null,
    passkeys: false,
  });
  for (const wrong of [{}, { setup_code: '' }, { setup_code: 'x'.repeat(setupCode.length) }]) {
    await expect(setUp(deps, { ...REQUEST, ...wrong }, away)).rejects.toMatchObject({
      code: 'setup_code_required',
    });
  }
  await expect(setUp(deps, { ...REQUEST, setup_code: setupCode }, away)).resolves.toBeDefined();
});

it('a printed code is refused after a day', async () => {
  const { deps, clock } = await consoleDeps();
  const setupCode = await newSetupCode(deps);
  clock.advance(24 * 60 * 60_000);
  await expect(
    setUp(deps, { ...REQUEST, setup_code: setupCode }, { ...HERE, isLocal: false }),
  ).rejects.toMatchObject({ code: 'setup_code_required' });
});

it('without a printed code, no code is right', async () => {
  const { deps } = await consoleDeps();
  const away = { ...HERE, isLocal: false };
  await expect(setUp(deps, { ...REQUEST, setup_code: 'null' }, away)).rejects.toMatchObject({
    code: 'setup_code_required',
  });
});

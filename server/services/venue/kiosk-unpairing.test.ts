import { kiosk as kioskRow } from '../../../testing/store/rows.ts';
import { expect, test } from 'vitest';
import { findKiosk, insertKiosk } from '../../store/venue/kiosks.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { changePin } from '../operators/account.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { createCompany } from '../companies/companies.ts';
import { createOperator } from '../operators/operators.ts';
import { changeOperator } from '../operators/change.ts';
import { isPinSet } from '../operators/quick-pin.ts';
import { signIn } from '../operators/sign-in.ts';
import { createEvent } from './events.ts';
import { chooseEvent, pairDevice, unlockKiosk, unpairDevice } from './kiosk-pairing.ts';
import { authoriseKiosk, pairingCodeHash } from './kiosk-tokens.ts';

const CODE = 'ABCD-2345';
const PIN = '428190';

async function operatorWithPin(deps: TestService['deps'], name: string): Promise<string> {
  const request = { name, role: 'staff', origin: 'cli', actor: 'cli' } as const;
  const { operator, passphrase } = await createOperator(deps, request);
  const here = { address: '127.0.0.1', device: 'test', previousToken: null };
  const { signedIn } = await signIn(deps, { name, passphrase: passphrase ?? '' }, here);
  await changePin(deps, signedIn, { passphrase: passphrase ?? '', pin: PIN });
  return operator.operator_id;
}

/** A paired kiosk, and staff with a PIN. */
async function venue() {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const scope = service.scope('test');
  const at = clock.now();
  const operatorId = await operatorWithPin(deps, 'Ada');
  await deps.db.tx((tx) =>
    insertKiosk(tx, kioskRow(company.company_id, 'kiosk-1', { codeHash: pairingCodeHash(CODE), at })),
  );
  const { device_token: token } = await pairDevice(deps, CODE);
  const kiosk = await authoriseKiosk(deps.db, token);
  return { deps, clock, company, scope, operatorId, token, kiosk };
}

test('staff’s PIN revokes the device’s own token, and the kiosk stays for another code', async () => {
  const { deps, company, operatorId, token, kiosk } = await venue();
  await unpairDevice(deps, kiosk, { operator_id: operatorId, pin: PIN });
  expect(await refusalOf(authoriseKiosk(deps.db, token))).toBe('invalid_kiosk_token');
  expect(await findKiosk(deps.db, company.company_id, kiosk.id)).toMatchObject({
    name: 'North gate',
    pairedAt: null,
    revokedAt: null,
  });
  const audit = await deps.db.all(
    "SELECT actor, action, company_id AS companyId, subject FROM audit_entries WHERE action = 'kiosk.unpaired'",
  );
  expect(audit).toEqual([
    {
      actor: `operator:${operatorId}`,
      action: 'kiosk.unpaired',
      companyId: company.company_id,
      subject: kiosk.id,
    },
  ]);
  // A second call with the revoked token gets the same answer as the device.
  expect(await refusalOf(unpairDevice(deps, kiosk, { operator_id: operatorId, pin: PIN }))).toBe(
    'invalid_kiosk_token',
  );
});

test('a wrong PIN unpairs nothing', async () => {
  const { deps, operatorId, token, kiosk } = await venue();
  await expect(unpairDevice(deps, kiosk, { operator_id: operatorId, pin: '000000' })).rejects.toThrow(
    Refusal,
  );
  expect(await authoriseKiosk(deps.db, token)).toMatchObject({ id: kiosk.id });
});

test('a PIN of an operator who is limited to another company does not unlock the kiosk', async () => {
  const { deps, company, operatorId, kiosk } = await venue();
  const other = await createCompany(deps.db, deps.clock, { name: 'Other venue', actor: 'cli' });
  expect(await isPinSet(deps.db, company.company_id)).toBe(true);
  const why = { reason: 'moved over', actor: 'cli' } as const;
  await changeOperator(deps, operatorId, { companyIds: [other.company_id] }, why);
  expect(await isPinSet(deps.db, company.company_id)).toBe(false);
  expect(await isPinSet(deps.db, other.company_id)).toBe(true);
  expect(await refusalOf(unpairDevice(deps, kiosk, { operator_id: operatorId, pin: PIN }))).toBe('wrong_pin');
  expect(await refusalOf(unlockKiosk(deps, kiosk, { pin: PIN }))).toBe('wrong_pin');
});

test('the PIN alone names its owner, and of two who chose the same the kiosk asks', async () => {
  const { deps, operatorId, kiosk } = await venue();
  expect(await refusalOf(unlockKiosk(deps, kiosk, { pin: '000000' }))).toBe('wrong_pin');
  const people = async (request: { pin: string; operator_id?: string }) =>
    (await unlockKiosk(deps, kiosk, request)).people.map(({ name }) => name);
  expect(await people({ pin: PIN })).toEqual(['Ada']);
  const bea = await operatorWithPin(deps, 'Bea');
  const used = () =>
    deps.db.all("SELECT actor FROM audit_entries WHERE action = 'operator.pin_used' ORDER BY seq");
  expect(await used()).toEqual([{ actor: `operator:${operatorId}` }]);
  expect(await people({ pin: PIN })).toEqual(['Ada', 'Bea']);
  expect(await used()).toHaveLength(1);
  expect(await people({ pin: PIN, operator_id: bea })).toEqual(['Bea']);
  expect(await used()).toEqual([{ actor: `operator:${operatorId}` }, { actor: `operator:${bea}` }]);
});

test('staff at the kiosk assign it an event of the company with their PIN, and nobody else can', async () => {
  const { deps, company, operatorId, kiosk, scope } = await venue();
  const at = deps.clock.now();
  const times = { starts_at: new Date(at).toISOString(), ends_at: new Date(at + 3_600_000).toISOString() };
  const { event_id } = await createEvent(deps, scope, { name: 'Night run', ...times }, 'cli');
  const proof = { operator_id: operatorId, pin: PIN };
  expect((await unlockKiosk(deps, kiosk, proof)).events).toEqual([
    { event_id, name: 'Night run', is_test: true },
  ]);
  const eventOf = async () => (await findKiosk(deps.db, company.company_id, kiosk.id))?.eventId;
  await expect(chooseEvent(deps, kiosk, { ...proof, pin: '000000', event_id })).rejects.toMatchObject({
    code: 'wrong_pin',
  });
  await expect(chooseEvent(deps, kiosk, { ...proof, event_id: 'event-of-others' })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await eventOf()).toBeNull();
  await chooseEvent(deps, kiosk, { ...proof, event_id });
  expect(await eventOf()).toBe(event_id);
});

test('staff cannot assign an event that is over', async () => {
  const { deps, clock, company, operatorId, kiosk, scope } = await venue();
  const endsAt = clock.now() + 3_600_000;
  const times = {
    starts_at: new Date(clock.now()).toISOString(),
    ends_at: new Date(endsAt).toISOString(),
  };
  const { event_id } = await createEvent(deps, scope, { name: 'Night run', ...times }, 'cli');
  clock.set(endsAt);
  await expect(
    chooseEvent(deps, kiosk, { operator_id: operatorId, pin: PIN, event_id }),
  ).rejects.toMatchObject({ code: 'not_found' });
  expect((await findKiosk(deps.db, company.company_id, kiosk.id))?.eventId).toBeNull();
});

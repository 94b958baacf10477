/**
 * What guests, kiosks and strangers do many times a minute excludes nobody else: without a company or keys, a transaction
 * stops the whole installation on PostgreSQL.
 */
import { expect, it } from 'vitest';
import { kiosk as kioskRow } from '../testing/store/rows.ts';
import { countedDb } from '../testing/store/counted-db.ts';
import { openTestService, refusalOf, type TestService } from '../testing/service/temp-service.ts';
import { insertKiosk } from './store/venue/kiosks.ts';
import { signIn } from './services/operators/sign-in.ts';
import { checkQuickPin } from './services/operators/quick-pin.ts';
import { authoriseFlow, openSession } from './services/runs/flow.ts';
import { confirmNumber, offerHandoff, openHandoff } from './services/runs/handoff.ts';
import { initialize } from './services/runs/initialize.ts';
import { openOwnPage, requestOwnCode } from './services/runs/my-verifications.ts';
import { noteHeartbeat } from './services/venue/kiosk-config.ts';
import { pairDevice } from './services/venue/kiosk-pairing.ts';
import { authoriseKiosk, pairingCodeHash } from './services/venue/kiosk-tokens.ts';

const CODE = 'ABCD-2345';
const PHONE = '+999011234567';
const ADDRESS = '192.0.2.7';

async function waitingKiosk({ deps, clock, company }: TestService): Promise<void> {
  const row = kioskRow(company.company_id, 'kiosk-1', { codeHash: pairingCodeHash(CODE), at: clock.now() });
  await deps.db.tx((tx) => insertKiosk(tx, row));
}

type Act = (service: TestService) => Promise<unknown>;
/** Prepares, and returns what is looked at. */
const HOT: Record<string, (service: TestService) => Promise<Act> | Act> = {
  'a kiosk’s heartbeat': async (service) => {
    await waitingKiosk(service);
    const { device_token: token } = await pairDevice(service.deps, CODE);
    const kiosk = await authoriseKiosk(service.deps.db, token);
    return ({ deps }) =>
      noteHeartbeat(deps, kiosk, { screen: 'attract', camera: 'ready', handled_command_id: 'c' });
  },
  'a device that pairs': async (service) => {
    await waitingKiosk(service);
    return ({ deps }) => pairDevice(deps, CODE);
  },
  'a pairing code that is wrong':
    () =>
    ({ deps }) =>
      refusalOf(pairDevice(deps, 'WRNG-2345')),
  'a code for a person’s own page':
    () =>
    ({ deps }) =>
      requestOwnCode(deps, { phone: PHONE }, ADDRESS),
  'one that is refused because it comes too soon': async ({ deps }) => {
    await requestOwnCode(deps, { phone: PHONE }, ADDRESS);
    return (service) => refusalOf(requestOwnCode(service.deps, { phone: PHONE }, ADDRESS));
  },
  'a wrong code on the own page': async ({ deps }) => {
    await requestOwnCode(deps, { phone: PHONE }, ADDRESS);
    return (service) => refusalOf(openOwnPage(service.deps, { phone: PHONE, code: '000000' }));
  },
  'the right one': async ({ deps }) => {
    await requestOwnCode(deps, { phone: PHONE }, ADDRESS);
    return (service) => openOwnPage(service.deps, { phone: PHONE, code: '234567' });
  },
  'a guest’s number on the phone of a handoff': async (service) => {
    const { deps } = service;
    const sessionId = (await initialize(deps, await service.caller('sk_test'), {})).session_id ?? '';
    const { flow_token: token } = await openSession(deps, sessionId, { device: 'desktop' }, null);
    const offer = await offerHandoff(deps, await authoriseFlow(deps, sessionId, token));
    const code = offer.url.split('#h=')[1] ?? '';
    const phone = await openHandoff(deps, { session_id: sessionId, code, device: 'mobile' });
    return (later) => confirmNumber(later.deps, sessionId, phone.flow_token, offer.match_code);
  },
  'a wrong passphrase':
    () =>
    ({ deps }) =>
      refusalOf(
        signIn(
          deps,
          { name: 'Nobody', passphrase: 'not the right one' },
          { address: ADDRESS, device: 'test', previousToken: null },
        ),
      ),
  'a wrong PIN':
    () =>
    ({ deps, company }) =>
      refusalOf(
        checkQuickPin(deps, { operatorId: null, pin: '1', kioskId: 'k', companyId: company.company_id }),
      ),
};

it.each(Object.keys(HOT))('%s', async (name) => {
  const service = await openTestService();
  const act = await HOT[name]?.(service);
  const { db, locks } = countedDb(service.deps.db);
  await act?.({ ...service, deps: { ...service.deps, db } });
  expect(locks).not.toContain(undefined);
});

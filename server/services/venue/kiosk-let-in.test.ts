import { expect, test } from 'vitest';
import type { Role } from '../../contract/console/common.ts';
import { guestNumber } from '../../contract/guest-number.ts';
import { operatorActor } from '../../domain/operators/actor.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { findKiosk, insertKiosk } from '../../store/venue/kiosks.ts';
import { passOf, sessionOf } from '../../../testing/service/runs.ts';
import {
  BASE_URL,
  openTestService,
  refusalOf,
  type TestService,
} from '../../../testing/service/temp-service.ts';
import { kiosk as kioskRow, venueEvent } from '../../../testing/store/rows.ts';
import { changePin } from '../operators/account.ts';
import { createOperator } from '../operators/operators.ts';
import { signIn } from '../operators/sign-in.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { authoriseFlow, decline, giveConsent } from '../runs/flow.ts';
import { letIn } from './door-actions.ts';
import { readDoor } from './door.ts';
import { noteHeartbeat } from './kiosk-config.ts';
import { letInAtKiosk } from './kiosk-let-in.ts';
import { pairDevice, unlockKiosk } from './kiosk-pairing.ts';
import { openScanned, startWalkUp } from './kiosk-runs.ts';
import { pairingCodeHash } from './kiosk-tokens.ts';
import { initialize } from '../runs/initialize.ts';

const CODE = 'ABCD-2345';
const HOUR_MS = 3_600_000;

async function staffWithPin({ deps }: TestService, name: string, role: Role, pin: string): Promise<string> {
  const { operator, passphrase } = await createOperator(deps, { name, role, origin: 'cli', actor: 'cli' });
  const here = { address: '127.0.0.1', device: 'test', previousToken: null };
  const { signedIn } = await signIn(deps, { name, passphrase: passphrase ?? '' }, here);
  await changePin(deps, signedIn, { passphrase: passphrase ?? '', pin });
  return operator.operator_id;
}

/** A kiosk at a running event, and its row as it is now. */
async function venue() {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const now = clock.now();
  const scope = service.scope('test');
  const event = venueEvent(scope, company.default_verification_id, 'event-1', {
    group: 'night-run',
    limit: { kind: 'total', max: 1 },
    startsAt: now - HOUR_MS,
    endsAt: now + 48 * HOUR_MS,
  });
  const codeHash = pairingCodeHash(CODE);
  const row = kioskRow(company.company_id, 'kiosk-1', { eventId: event.id, codeHash, at: now });
  await deps.db.tx(async (tx) => {
    await insertEvent(tx, event);
    await insertKiosk(tx, row);
  });
  await pairDevice(deps, CODE);
  const kiosk = async () => {
    const found = await findKiosk(deps.db, company.company_id, 'kiosk-1');
    if (!found) throw new Error('no kiosk');
    return found;
  };
  const beat = async (sessionId: string | null, screen: 'consent' | 'ask_staff' | 'attract' = 'consent') =>
    noteHeartbeat(deps, await kiosk(), { screen, camera: 'ready', session_id: sessionId });
  const stateOf = async (id: string) => (await sessionOf(service, id)).state;
  return { service, deps, scope, kiosk, beat, stateOf };
}

test('a walk-up that its kiosk no longer shows has ended, and the next guest ends one that was never reported', async () => {
  const { deps, kiosk, beat, stateOf } = await venue();
  const { snapshot: first } = await startWalkUp(deps, await kiosk());
  await beat(first.session_id);
  expect(await stateOf(first.session_id)).toBe('open');
  await beat(null, 'attract');
  expect(await stateOf(first.session_id)).toBe('cancelled');
  const { snapshot: second } = await startWalkUp(deps, await kiosk());
  const { snapshot: third } = await startWalkUp(deps, await kiosk());
  expect(await stateOf(second.session_id)).toBe('cancelled');
  expect(await stateOf(third.session_id)).toBe('open');
});

test('a guest’s own link that a kiosk gave up can be opened again', async () => {
  const { service, deps, kiosk, beat, stateOf } = await venue();
  const { url } = await initialize(deps, await service.caller('sk_test'), {});
  const link = { text: url, ownOrigins: [BASE_URL] };
  const { snapshot } = await openScanned(deps, await kiosk(), link);
  await beat(snapshot.session_id);
  await beat(null, 'attract');
  expect(await stateOf(snapshot.session_id)).toBe('open');
  expect((await openScanned(deps, await kiosk(), link)).snapshot.session_id).toBe(snapshot.session_id);
});

test('a guest who asked for staff is on the door at once, and is let in without the camera', async () => {
  const { service, deps, scope, kiosk, beat } = await venue();
  const { flow_token: token, snapshot } = await startWalkUp(deps, await kiosk());
  const id = snapshot.session_id;
  const line = async (role: Role = 'reviewer') => (await readDoor(deps, scope, { role })).under_way[0];
  await beat(id);
  expect(await line()).toMatchObject({ asks_staff: false, actions: [] });
  await beat(id, 'ask_staff');
  expect(await line()).toMatchObject({ session_id: id, asks_staff: true, actions: ['let_in'] });
  expect(await line('staff')).toMatchObject({ asks_staff: true, actions: [] });
  const ana = await staffWithPin(service, 'Ana', 'reviewer', '428190');
  await letIn(deps, scope, id, { reason: 'Wears a veil', actor: operatorActor(ana) });
  const { latest } = await readDoor(deps, scope, { role: 'staff' });
  expect(latest[0]).toMatchObject({ result: 'flagged', let_in: { by: 'Ana', reason: 'Wears a veil' } });
  expect((await authoriseFlow(deps, id, token)).state).toBe('settled');
});

test('a reviewer lets in a guest at the kiosk with the PIN, and staff or guests of another kiosk are refused', async () => {
  const { service, deps, kiosk } = await venue();
  const reviewer = await staffWithPin(service, 'Ana', 'reviewer', '428190');
  const staff = await staffWithPin(service, 'Ben', 'staff', '313131');
  const { snapshot } = await startWalkUp(deps, await kiosk());
  await decline(deps, await sessionOf(service, snapshot.session_id));
  const guest = { session_id: snapshot.session_id, number: guestNumber(snapshot.session_id) };
  expect((await unlockKiosk(deps, await kiosk(), { pin: '428190' })).guests).toMatchObject([guest]);
  expect((await unlockKiosk(deps, await kiosk(), { pin: '313131' })).guests).toEqual([]);
  const act = { session_id: snapshot.session_id, reason: 'Knows the host' };
  const ask = async (proof: { operator_id: string; pin: string }, change: { session_id?: string } = {}) =>
    refusalOf(letInAtKiosk(deps, await kiosk(), { ...act, ...proof, ...change }));
  expect(await ask({ operator_id: reviewer, pin: '000000' })).toBe('wrong_pin');
  expect(await ask({ operator_id: staff, pin: '313131' })).toBe('role_too_low');
  const other = await initialize(deps, await service.caller('sk_test'), {});
  await decline(deps, await sessionOf(service, other.session_id ?? ''));
  const proof = { operator_id: reviewer, pin: '428190' };
  expect(await ask(proof, { session_id: other.session_id ?? '' })).toBe('not_found');
  expect(await ask(proof)).toBe('(not refused)');
  expect((await passOf(service, snapshot)).status).toBe('approved');
  expect((await unlockKiosk(deps, await kiosk(), { pin: '428190' })).guests).toEqual([]);
});

test('once the daily cap is reached the door says so, and until when', async () => {
  const { service, deps, scope, kiosk } = await venue();
  const cap = async () => (await readDoor(deps, scope, { role: 'staff' })).cap;
  expect(await cap()).toMatchObject({ is_reached: false });
  const { snapshot } = await startWalkUp(deps, await kiosk());
  await giveConsent(deps, await sessionOf(service, snapshot.session_id), { accepted: true });
  await captureTestFace(deps, await sessionOf(service, snapshot.session_id), 'alice');
  await deps.db.tx((tx) => tx.run('UPDATE companies SET daily_limit = 1'));
  expect(await cap()).toMatchObject({ is_reached: true, daily_limit: 1 });
});

test('a number follows from the run alone, has three digits and spreads', () => {
  const numbers = Array.from({ length: 900 }, (_, n) => guestNumber(`vs_${n}`));
  expect(numbers.every((number) => /^[1-9]\d\d$/.test(number))).toBe(true);
  expect(new Set(numbers).size).toBeGreaterThan(500);
  expect(guestNumber('vs_1')).toBe(numbers[1]);
});

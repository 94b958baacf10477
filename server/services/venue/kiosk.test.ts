import { countedDb } from '../../../testing/store/counted-db.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { KIOSK_SILENT_AFTER_MS } from '../../contract/kiosk.ts';
import type { Language } from '../../contract/languages.ts';
import {
  clearCommand,
  findKiosk,
  findKioskByToken,
  insertKiosk,
  type Kiosk,
  revokeKiosk,
  setCommand,
  setPairingCode,
} from '../../store/venue/kiosks.ts';
import { insertEvent, type VenueEvent } from '../../store/venue/events.ts';
import {
  BASE_URL,
  openTestService,
  refusalOf,
  type TestService,
} from '../../../testing/service/temp-service.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { authoriseFlow, giveConsent, openSession } from '../runs/flow.ts';
import { initialize } from '../runs/initialize.ts';
import { changeLanguages } from '../companies/languages.ts';
import { sha256 } from '../ports/ids.ts';
import { saveRetention } from '../people/retention-settings.ts';
import { COMMAND_LIFETIME_MS, noteHeartbeat, readKioskConfig, readOrders } from './kiosk-config.ts';
import { changeEvent } from './events.ts';
import { pairDevice } from './kiosk-pairing.ts';
import { changeKiosk, revoke } from './kiosks.ts';
import { openScanned, startWalkUp } from './kiosk-runs.ts';
import { watchSilence } from './kiosk-silence.ts';
import { authoriseKiosk, pairingCodeHash } from './kiosk-tokens.ts';
import { kiosk as kioskRow, venueEvent } from '../../../testing/store/rows.ts';
import { passOf, sessionOf } from '../../../testing/service/runs.ts';

const HOUR_MS = 3_600_000;
const CODE = 'ABCD-2345';

async function event(service: TestService, overrides: Partial<VenueEvent> = {}): Promise<VenueEvent> {
  const now = service.clock.now();
  const made = venueEvent(service.scope('test'), service.company.default_verification_id, 'event-1', {
    group: 'night-run',
    limit: { kind: 'total', max: 1 },
    startsAt: now - HOUR_MS,
    endsAt: now + 48 * HOUR_MS,
    ...overrides,
  });
  await service.deps.db.tx((tx) => insertEvent(tx, made));
  return made;
}

async function waitingKiosk(service: TestService, eventId: string | null): Promise<void> {
  const at = service.clock.now();
  await service.deps.db.tx((tx) =>
    insertKiosk(
      tx,
      kioskRow(service.company.company_id, 'kiosk-1', { eventId, codeHash: pairingCodeHash(CODE), at }),
    ),
  );
}

async function pairedKiosk(service: TestService, eventId: string | null): Promise<Kiosk> {
  await waitingKiosk(service, eventId);
  const { device_token: token } = await pairDevice(service.deps, CODE);
  return authoriseKiosk(service.deps.db, token);
}

async function passWalkUp(service: TestService, kiosk: Kiosk, face: string) {
  const { deps } = service;
  const { snapshot } = await startWalkUp(deps, kiosk);
  await giveConsent(deps, await sessionOf(service, snapshot.session_id), { accepted: true });
  return captureTestFace(deps, await sessionOf(service, snapshot.session_id), face);
}

test('what a kiosk shows and its new name are announced; a heartbeat without news is not', async () => {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const read = await pairedKiosk(service, null);
  let told = 0;
  onTestFinished(deps.db.follow('venue', () => (told += 1), company.company_id));
  const times: number[] = [];
  const beat = async (kiosk: Kiosk) => {
    told = 0;
    await noteHeartbeat(deps, kiosk, { screen: 'attract', camera: 'ready' });
    times.push(told);
  };
  clock.advance(HOUR_MS);
  await beat(read);
  await changeKiosk(deps, company.company_id, read.id, { name: 'Door A' }, 'cli');
  times.push(told);
  await beat((await findKiosk(deps.db, company.company_id, read.id))!);
  expect(times).toEqual([1, 2, 0]);
});

test('a kiosk that falls silent is announced once, and so is its next report', async () => {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const kiosk = await pairedKiosk(service, null);
  let told = 0;
  onTestFinished(deps.db.follow('venue', () => (told += 1), company.company_id));
  const beat = { screen: 'attract', camera: 'ready' } as const;
  await noteHeartbeat(deps, kiosk, beat);
  clock.advance(KIOSK_SILENT_AFTER_MS);
  told = 0;
  await noteHeartbeat(deps, (await findKiosk(deps.db, company.company_id, kiosk.id))!, beat);
  expect(told).toBe(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const announced: unknown[] = [];
  const silence = watchSilence({ announce: (...news) => void announced.push(news) });
  for (let beats = 0; beats < 3; beats += 1) {
    silence.heard(kiosk);
    vi.advanceTimersByTime(10_000);
  }
  expect(announced).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(announced).toEqual([['venue', company.company_id]]);
  silence.heard(kiosk);
  silence.close();
  vi.advanceTimersByTime(60_000);
  expect(announced).toHaveLength(1);
});

test('a walk-up reads its verification once', async () => {
  const service = await openTestService();
  await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  const counted = countedDb(service.deps.db);
  await startWalkUp({ ...service.deps, db: counted.db }, kiosk);
  const all = [...counted.reads, ...counted.writes];
  expect(all.filter((sql) => sql.includes('FROM verifications'))).toHaveLength(1);
});

test('a code pairs one device, once, in any notation', async () => {
  const service = await openTestService();
  await waitingKiosk(service, null);
  const paired = await pairDevice(service.deps, ' abcd 2345');
  expect(paired.name).toBe('North gate');
  expect(paired.device_token).toMatch(/^kt_\w{43}$/);
  expect(await refusalOf(pairDevice(service.deps, CODE))).toBe('invalid_pairing_code');
  expect(await findKioskByToken(service.deps.db, sha256(paired.device_token))).toBeDefined();
});

test('a code is valid for ten minutes, a revoked token is not', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  await waitingKiosk(service, null);
  clock.advance(600_000);
  expect(await refusalOf(pairDevice(deps, CODE))).toBe('invalid_pairing_code');
  clock.advance(-1);
  const { device_token: token, kiosk_id: id } = await pairDevice(deps, CODE);
  await deps.db.tx((tx) => revokeKiosk(tx, service.company.company_id, id, clock.now()));
  expect(await refusalOf(authoriseKiosk(deps.db, token))).toBe('invalid_kiosk_token');
  expect(await refusalOf(authoriseKiosk(deps.db, null))).toBe('kiosk_token_required');
});

test('a device that lost access keeps no run: its walk-up ends, and a guest’s own link is free for another kiosk', async () => {
  const service = await openTestService();
  const { deps, company } = service;
  await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  const done = await passWalkUp(service, kiosk, 'alice');
  const walkUp = await startWalkUp(deps, kiosk);
  const { url, session_id: id } = await initialize(deps, await service.caller('sk_test'), {});
  const scanned = await openScanned(deps, kiosk, { text: url, ownOrigins: [BASE_URL] });
  const act = { reason: 'stolen', actor: 'operator:1' } as const;
  await revoke(deps, company.company_id, kiosk.id, act);
  const ended = await authoriseFlow(deps, walkUp.snapshot.session_id, walkUp.flow_token);
  expect(ended.state).toBe('cancelled');
  expect(await refusalOf(authoriseFlow(deps, id ?? '', scanned.flow_token))).toBe('invalid_flow_token');
  expect((await openSession(deps, id ?? '', { device: 'mobile' }, null)).snapshot.state).toBe('open');
  expect((await sessionOf(service, done.session_id)).state).toBe('settled');
});

test('another device that is paired as the kiosk ends the runs of the one before', async () => {
  const service = await openTestService();
  const { deps, clock, company } = service;
  await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  const { snapshot } = await startWalkUp(deps, kiosk);
  const code = { hash: pairingCodeHash(CODE), expiresAt: clock.now() + HOUR_MS, at: clock.now() };
  await deps.db.tx((tx) => setPairingCode(tx, company.company_id, kiosk.id, code));
  await pairDevice(deps, CODE);
  expect((await sessionOf(service, snapshot.session_id)).state).toBe('cancelled');
});

test('a walk-up uses the verification, group and limit of its event, on the kiosk', async () => {
  const service = await openTestService();
  const { group } = await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  const first = await passWalkUp(service, kiosk, 'alice');
  expect(first.result?.presented).toBe('approved');
  const session = await sessionOf(service, first.session_id);
  expect([session.device, session.request.group, session.scope.partition]).toEqual(['kiosk', group, 'test']);
  // No skip: the limit counts checks.
  expect((await passOf(service, await passWalkUp(service, kiosk, 'alice'))).reasons).toEqual([
    'limit_reached',
  ]);
  expect((await passWalkUp(service, kiosk, 'bob')).result?.presented).toBe('approved');
});

test('if the limit allows it, a person may come again, until it is used up', async () => {
  const service = await openTestService();
  await event(service, { limit: { kind: 'day', max: 2 } });
  const kiosk = await pairedKiosk(service, 'event-1');
  const shown = async () => (await passWalkUp(service, kiosk, 'alice')).result?.presented;
  expect([await shown(), await shown(), await shown()]).toEqual(['approved', 'flagged', 'denied']);
  service.clock.advance(24 * HOUR_MS);
  expect(await shown()).toBe('flagged');
});

test('the kiosk gets the venue’s colour, and changing it changes the config version', async () => {
  const service = await openTestService();
  const { deps } = service;
  const { id, scope } = await event(service, { colour: '#14315c' });
  const kiosk = await pairedKiosk(service, 'event-1');
  const before = await readKioskConfig(deps, kiosk);
  expect(before.event?.colour).toBe('#14315c');
  await changeEvent(deps, scope, id, { colour: null, reason: 'Another look.' }, 'cli');
  const after = await readKioskConfig(deps, kiosk);
  expect(after.event?.colour).toBeNull();
  expect(after.config_version).not.toBe(before.config_version);
});

test('the kiosk gets the period for which its guests’ faces are kept, and changing it changes the config version', async () => {
  const service = await openTestService();
  const { deps } = service;
  await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  const before = await readKioskConfig(deps, kiosk);
  expect(before.retention_days).toBe(30);
  await saveRetention(deps, { template_inactive: 7 }, 'cli');
  const after = await readKioskConfig(deps, kiosk);
  expect(after.retention_days).toBe(7);
  expect(after.config_version).not.toBe(before.config_version);
});

test('no run before the event, after it, or without one', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const { startsAt, endsAt } = await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  clock.set(startsAt - 1);
  expect(await refusalOf(startWalkUp(deps, kiosk))).toBe('event_not_started');
  clock.set(endsAt);
  expect(await refusalOf(startWalkUp(deps, kiosk))).toBe('event_over');
  expect(await refusalOf(startWalkUp(deps, { ...kiosk, eventId: null }))).toBe('no_event');
});

test('a scanned link of ours opens its run on this kiosk', async () => {
  const service = await openTestService();
  const { deps } = service;
  await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  const scan = (text: string) => openScanned(deps, kiosk, { text, ownOrigins: [BASE_URL] });
  const id = (await initialize(deps, await service.caller('sk_test'), {})).session_id ?? '';
  expect((await scan(`${BASE_URL}/verification?vys=${id}`)).snapshot.session_id).toBe(id);
  expect((await sessionOf(service, id)).device).toBe('kiosk');
  // Left at the consent: the same link is scanned again.
  const { flow_token: token } = await scan(`${BASE_URL}/verification?vys=${id}`);
  await giveConsent(deps, await authoriseFlow(deps, id, token), { accepted: true });
  expect(await refusalOf(scan(`${BASE_URL}/verification?vys=${id}`))).toBe('session_claimed');
});

test('a kiosk takes the run of a link that its guest has open on a phone, until the guest has acted there', async () => {
  const service = await openTestService();
  const { deps } = service;
  await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  const scan = (id: string) =>
    openScanned(deps, kiosk, { text: `${BASE_URL}/verification?vys=${id}`, ownOrigins: [BASE_URL] });
  const caller = await service.caller('sk_test');
  const onPhone = async () => {
    const id = (await initialize(deps, caller, {})).session_id ?? '';
    return { id, token: (await openSession(deps, id, { device: 'mobile' }, null)).flow_token };
  };
  const read = await onPhone();
  await scan(read.id);
  expect(await refusalOf(authoriseFlow(deps, read.id, read.token))).toBe('invalid_flow_token');
  const consented = await onPhone();
  await giveConsent(deps, await authoriseFlow(deps, consented.id, consented.token), { accepted: true });
  expect(await refusalOf(scan(consented.id))).toBe('session_claimed');
});

test('foreign links and those of other companies and the other partition open nothing', async () => {
  const service = await openTestService();
  const { deps } = service;
  await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  const scan = (text: string) => refusalOf(openScanned(deps, kiosk, { text, ownOrigins: [BASE_URL] }));
  const { session_id: live } = await initialize(deps, await service.caller('sk_live'), {});
  expect(await scan(`https://elsewhere.example/verification?vys=${live}`)).toBe('not_our_link');
  expect(await scan('WIFI:S:Venue;;')).toBe('not_our_link');
  expect(await scan(`${BASE_URL}/verification?vys=${live}`)).toBe('not_found');
  expect(await scan(`${BASE_URL}/v/${service.company.default_verification_id}`)).toBe('not_found');
  expect(await scan(`${BASE_URL}/invite/nothing`)).toBe('not_found');
});

test('the config changes its version with anything that the kiosk shows', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const { endsAt } = await event(service);
  const kiosk = await pairedKiosk(service, 'event-1');
  const before = await readKioskConfig(deps, kiosk);
  expect(before.event?.state).toBe('running');
  expect((await readKioskConfig(deps, kiosk)).config_version).toBe(before.config_version);
  expect((await readKioskConfig(deps, { ...kiosk, name: 'South' })).config_version).not.toBe(
    before.config_version,
  );
  clock.set(endsAt);
  expect((await readKioskConfig(deps, kiosk)).config_version).not.toBe(before.config_version);
});

test('a kiosk offers those of its event’s languages that the installation offers, from the next poll on', async () => {
  const service = await openTestService();
  const { deps } = service;
  await event(service, { languages: ['en', 'fr', 'de'] });
  const kiosk = await pairedKiosk(service, 'event-1');
  const { orders: before } = await readOrders(deps, kiosk);
  const choose = (offered: Language[], default_language: Language) =>
    changeLanguages(deps, { offered, default_language }, 'cli');
  const offeredNow = async () => (await readKioskConfig(deps, kiosk)).event?.languages;
  await choose(['en', 'es', 'de'], 'de');
  expect(await offeredNow()).toEqual(['de', 'en']);
  expect((await readOrders(deps, kiosk)).orders.config_version).not.toBe(before.config_version);
  await choose(['es'], 'es');
  expect(await offeredNow()).toEqual(['es']);
  await choose(['en', 'es', 'fr', 'de'], 'en');
  expect((await readOrders(deps, kiosk)).orders.config_version).toBe(before.config_version);
});

test('a command stays until it was handled, or for a minute', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const { id, companyId } = await pairedKiosk(service, null);
  const again = async () => {
    const kiosk = await findKiosk(deps.db, companyId, id);
    if (!kiosk) throw new Error('The kiosk is gone.');
    return kiosk;
  };
  const give = (commandId: string) =>
    deps.db.tx((tx) => setCommand(tx, companyId, id, { id: commandId, kind: 'walk_up', at: clock.now() }));
  await give('c1');
  expect((await readOrders(deps, await again())).orders.command).toEqual({
    command_id: 'c1',
    kind: 'walk_up',
  });
  const beat = { screen: 'consent', camera: 'ready', handled_command_id: 'c1' } as const;
  expect((await noteHeartbeat(deps, await again(), beat)).command).toBeNull();
  expect((await readOrders(deps, await again())).orders.command).toBeNull();
  await give('c2');
  // Reporting an old one as handled does not remove a newer one.
  await clearCommand({ run: deps.db.write }, id, 'c1');
  expect((await readOrders(deps, await again())).orders.command?.command_id).toBe('c2');
  clock.advance(COMMAND_LIFETIME_MS);
  expect((await readOrders(deps, await again())).orders.command).toBeNull();
});

/** `capture.trust: kiosk`: where the check can be made, and where a phone is sent. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  BASE_URL,
  openTestService,
  refusalOf,
  type TestService,
} from '../../../testing/service/temp-service.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { insertVerification } from '../../store/companies/verifications.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { insertKiosk } from '../../store/venue/kiosks.ts';
import { kiosk as kioskRow, venueEvent, verification } from '../../../testing/store/rows.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { captureSignerOf } from '../capture/kiosk-signature.ts';
import { giveConsent, openSession, readSnapshot } from '../runs/flow.ts';
import { offerHandoff, openHandoff } from '../runs/handoff.ts';
import { initialize } from '../runs/initialize.ts';
import { pairDevice } from './kiosk-pairing.ts';
import { openScanned, startWalkUp } from './kiosk-runs.ts';
import { authoriseKiosk, pairingCodeHash } from './kiosk-tokens.ts';

const HOUR_MS = 3_600_000;
const CODE = 'ABCD-2345';
const VERIFICATION = 'door-only';

function newPublicKey(): string {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const point = [Buffer.of(4), Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')];
  return Buffer.concat(point).toString('base64url');
}

async function venue(): Promise<TestService> {
  const service = await openTestService();
  const now = service.clock.now();
  const scope = service.scope('test');
  await service.deps.db.tx(async (tx) => {
    await insertVerification(
      tx,
      verification(scope.companyId, VERIFICATION, { config: { capture: { trust: 'kiosk' } } }),
    );
    const times = { startsAt: now - HOUR_MS, endsAt: now + HOUR_MS };
    await insertEvent(tx, venueEvent(scope, VERIFICATION, 'event', times));
    await insertKiosk(
      tx,
      kioskRow(scope.companyId, 'kiosk', { eventId: 'event', codeHash: pairingCodeHash(CODE), at: now }),
    );
  });
  return service;
}

async function pair(service: TestService, publicKey?: string) {
  const { device_token: token } = await pairDevice(service.deps, CODE, publicKey);
  return authoriseKiosk(service.deps.db, token);
}

async function onPhone(service: TestService) {
  const started = await initialize(service.deps, await service.caller('sk_test'), {
    verification_id: VERIFICATION,
    config: { capture: { trust: 'any' } },
  });
  const id = started.session_id ?? '';
  const { snapshot } = await openSession(service.deps, id, { device: 'mobile' }, null);
  return { id, snapshot };
}

describe('a check that is only possible at a kiosk', () => {
  it('is refused to a phone, which is sent to the door, whatever the run itself requests', async () => {
    const service = await venue();
    const { id, snapshot } = await onPhone(service);
    expect(snapshot.kiosk_required).toBe(true);
    await giveConsent(service.deps, await sessionOf(service, id), { accepted: true });
    expect(await refusalOf(captureTestFace(service.deps, await sessionOf(service, id), 'alice'))).toBe(
      'kiosk_required',
    );
  });

  it('is possible at a kiosk with a key, even with a link that a phone has opened', async () => {
    const service = await venue();
    const { id } = await onPhone(service);
    const kiosk = await pair(service, newPublicKey());
    await openScanned(service.deps, kiosk, {
      text: `${BASE_URL}/verification?vys=${id}`,
      ownOrigins: [BASE_URL],
    });
    expect((await readSnapshot(service.deps, id)).kiosk_required).toBeUndefined();
    expect(await captureSignerOf(service.deps.db, await sessionOf(service, id))).not.toBeNull();
    await giveConsent(service.deps, await sessionOf(service, id), { accepted: true });
    const { result } = await captureTestFace(service.deps, await sessionOf(service, id), 'alice');
    expect(result?.presented).toBe('approved');
  });

  it('belongs to the kiosk alone: a code that the phone had offered ends', async () => {
    const service = await venue();
    const { deps } = service;
    const { id } = await onPhone(service);
    const offer = await offerHandoff(deps, await sessionOf(service, id));
    const kiosk = await pair(service, newPublicKey());
    await openScanned(deps, kiosk, { text: `${BASE_URL}/verification?vys=${id}`, ownOrigins: [BASE_URL] });
    const code = offer.url.split('#h=')[1] ?? '';
    expect(await refusalOf(openHandoff(deps, { session_id: id, code, device: 'mobile' }))).toBe('not_found');
  });

  it('is not possible at a kiosk that was paired without a key, nor at an unpaired one', async () => {
    const service = await venue();
    const kiosk = await pair(service);
    expect(kiosk.hasKey).toBe(0);
    const { snapshot } = await startWalkUp(service.deps, kiosk);
    expect(snapshot.kiosk_required).toBe(true);
    expect(await captureSignerOf(service.deps.db, await sessionOf(service, snapshot.session_id))).toBeNull();
  });
});

it('a kiosk cannot be paired with an invalid key', async () => {
  const service = await venue();
  expect(await refusalOf(pairDevice(service.deps, CODE, 'A'.repeat(87)))).toBe('invalid_device_key');
});

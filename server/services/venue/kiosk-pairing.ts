/**
 * Actions of staff at the device: pair it with the code from the console, assign an event, unpair it. All but the
 * first require a PIN.
 */
import { createHash } from 'node:crypto';
import { kioskActor, operatorActor } from '../../domain/operators/actor.ts';
import {
  ANY_STAFF,
  type KioskEventRequest,
  type KioskEventResponse,
  type KioskPairResponse,
  type KioskUnlockRequest,
  type KioskUnlockResponse,
  type KioskUnpairRequest,
  type KioskUnpairResponse,
} from '../../contract/kiosk.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findCompanyEvent, listEventsAhead } from '../../store/venue/events.ts';
import { companyOfCode, type Kiosk, pairKiosk, unpairKiosk } from '../../store/venue/kiosks.ts';
import { kioskKeyOf } from '../capture/kiosk-signature.ts';
import { checkQuickPin } from '../operators/quick-pin.ts';
import type { Ports } from '../ports/ports.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import { sha256 } from '../ports/ids.ts';
import { guestsToLetIn } from './kiosk-let-in.ts';
import { endRunsOf } from './kiosk-runs.ts';
import { type PinDeps, staffOf } from './kiosk-staff.ts';
import { newKioskToken, pairingCodeHash } from './kiosk-tokens.ts';
import { changeKiosk } from './kiosks.ts';

/** Identifies a public key in the audit log. */
const fingerprintOf = (point: Uint8Array): string =>
  createHash('sha256').update(point).digest('base64url').slice(0, 16);

/**
 * Exchanges a code for a device token. A device that was paired as this kiosk before loses access.
 * @param publicKey P-256 point, base64url; without one the kiosk's captures count like those of any browser
 * @throws Refusal `invalid_pairing_code` for one that is unknown, used or expired, `invalid_device_key`
 */
export async function pairDevice(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  code: string,
  publicKey?: string,
): Promise<KioskPairResponse> {
  const token = newKioskToken();
  const point = publicKey === undefined ? null : Buffer.from(publicKey, 'base64url');
  if (point && !kioskKeyOf(point)) throw new Refusal('invalid_device_key');
  const codeHash = pairingCodeHash(code);
  const companyId = await companyOfCode(db, codeHash, clock.now());
  if (companyId === undefined) throw new Refusal('invalid_pairing_code');
  const kiosk = await db.tx(
    async (tx) => {
      const at = clock.now();
      const paired = await pairKiosk(tx, codeHash, {
        tokenHash: sha256(token),
        publicKey: point,
        at,
      });
      if (!paired) throw new Refusal('invalid_pairing_code');
      await endRunsOf(tx, paired.id, at);
      await appendAudit(tx, {
        at,
        actor: kioskActor(paired.id),
        action: 'kiosk.paired',
        companyId: paired.companyId,
        subject: paired.id,
        details: { name: paired.name, key: point ? fingerprintOf(point) : null },
      });
      return paired;
    },
    { companyId },
  );
  return { kiosk_id: kiosk.id, name: kiosk.name, device_token: token };
}

/** Events that staff can choose from at a kiosk; more would not fit its screen. */
const OFFERED_EVENTS = 12;

/**
 * Opens the staff screens, by the PIN alone: names before it would tell guests who works here.
 * @throws Refusal `wrong_pin`, `locked_out`
 */
export async function unlockKiosk(
  deps: PinDeps,
  kiosk: Kiosk,
  { operator_id = ANY_STAFF, pin }: KioskUnlockRequest,
): Promise<KioskUnlockResponse> {
  const operatorId = operator_id === ANY_STAFF ? null : operator_id;
  const { id: kioskId, companyId } = kiosk;
  const people = await checkQuickPin(deps, { operatorId, pin, kioskId, companyId });
  const events = await listEventsAhead(deps.db, companyId, deps.clock.now(), OFFERED_EVENTS);
  const [first, ...others] = people;
  return {
    people: people.map(({ id, name }) => ({ operator_id: id, name })),
    events: events.map((event) => ({
      event_id: event.id,
      name: event.name,
      is_test: event.scope.partition === 'test',
    })),
    // Of several with one PIN, each has rights of their own.
    guests: others.length === 0 ? await guestsToLetIn(deps, kiosk, first) : [],
  };
}

/** @throws Refusal `wrong_pin`, `locked_out`, `not_found` for an event that is over or another company's */
export async function chooseEvent(
  deps: PinDeps,
  kiosk: Kiosk,
  request: KioskEventRequest,
): Promise<KioskEventResponse> {
  const { event_id } = request;
  const operator = await staffOf(deps, kiosk, request);
  const event = await findCompanyEvent(deps.db, kiosk.companyId, event_id);
  if (!event || event.endsAt <= deps.clock.now()) throw notFound();
  await changeKiosk(deps, kiosk.companyId, kiosk.id, { event_id }, operatorActor(operator.id));
  return { event_id };
}

/**
 * Staff at the device unpair it: its token is revoked. The kiosk itself stays, with its name and event, for another
 * code.
 * @throws Refusal `wrong_pin`, `locked_out`, `invalid_kiosk_token` if it was revoked meanwhile
 */
export async function unpairDevice(
  deps: PinDeps,
  kiosk: Kiosk,
  request: KioskUnpairRequest,
): Promise<KioskUnpairResponse> {
  const { id, companyId, name } = kiosk;
  const operator = await staffOf(deps, kiosk, request);
  await deps.db.tx(
    async (tx) => {
      const at = deps.clock.now();
      if ((await unpairKiosk(tx, companyId, id, at)) === 0) throw new Refusal('invalid_kiosk_token');
      await endRunsOf(tx, id, at);
      await appendAudit(tx, {
        at,
        actor: operatorActor(operator.id),
        action: 'kiosk.unpaired',
        companyId,
        subject: id,
        details: { name },
      });
    },
    { companyId },
  );
  return { kiosk_id: id };
}

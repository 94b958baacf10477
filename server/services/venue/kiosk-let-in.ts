/** Guests of a kiosk whom staff may let in there, after the PIN. */
import type { KioskGuest, KioskLetInRequest, KioskLetInResponse } from '../../contract/kiosk.ts';
import { isAtLeast } from '../../contract/console/common.ts';
import { guestNumber } from '../../contract/guest-number.ts';
import { operatorActor } from '../../domain/operators/actor.ts';
import { isFinalDenial } from '../../domain/passes/pass.ts';
import type { Kiosk } from '../../store/venue/kiosks.ts';
import { listDeniedAt } from '../../store/venue/kiosk-runs.ts';
import { fromJson } from '../../store/rows.ts';
import type { Ports } from '../ports/ports.ts';
import type { PinOwner } from '../operators/quick-pin.ts';
import type { ConnectSigner } from '../connections/signer.ts';
import type { DeniedPictures } from '../capture/denied-pictures.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { iso } from '../wire/values.ts';
import { letIn } from './door-actions.ts';
import { type PinDeps, staffOf } from './kiosk-staff.ts';

/** A guest who was sent away and comes back later has a new check, or the door in the console. */
const SINCE_MS = 30 * 60_000;
/** More would not fit its screen. */
const OFFERED = 6;

type Deps = Pick<Ports, 'db' | 'clock'>;

/** The latest guests who were denied at this kiosk; none for staff who may not let anybody in. */
export async function guestsToLetIn(
  { db, clock }: Deps,
  kiosk: Pick<Kiosk, 'id' | 'companyId'>,
  { role }: Pick<PinOwner, 'role'>,
): Promise<KioskGuest[]> {
  if (!isAtLeast(role, 'reviewer')) return [];
  const denied = await listDeniedAt(db, kiosk, { sinceMs: clock.now() - SINCE_MS, limit: OFFERED });
  return denied
    .filter(({ reasons }) => !isFinalDenial(fromJson<string[]>(reasons)))
    .map(({ sessionId, settledAt, reasons }) => ({
      session_id: sessionId,
      number: guestNumber(sessionId),
      at: iso(settledAt),
      reasons: fromJson<string[]>(reasons),
    }));
}

/**
 * @throws Refusal `wrong_pin`, `locked_out`, `role_too_low` below a reviewer, `not_found` for a guest of another
 * kiosk, and those of `letIn`
 */
export async function letInAtKiosk(
  deps: PinDeps & { connect: ConnectSigner; deniedPictures: DeniedPictures },
  kiosk: Kiosk,
  { session_id, reason, ...proof }: KioskLetInRequest,
): Promise<KioskLetInResponse> {
  const operator = await staffOf(deps, kiosk, proof);
  if (!isAtLeast(operator.role, 'reviewer'))
    throw new Refusal('role_too_low', { args: { role: 'reviewer' } });
  const since = { sinceMs: deps.clock.now() - SINCE_MS, limit: OFFERED };
  const guest = (await listDeniedAt(deps.db, kiosk, since)).find(({ sessionId }) => sessionId === session_id);
  if (!guest) throw notFound();
  const { companyId, partition } = guest;
  await letIn(deps, { companyId, partition }, session_id, { reason, actor: operatorActor(operator.id) });
  return { session_id };
}

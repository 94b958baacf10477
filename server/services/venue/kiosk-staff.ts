/** Who acts at a kiosk: each action of staff sends the PIN again. */
import type { KioskProof } from '../../contract/kiosk.ts';
import type { Kiosk } from '../../store/venue/kiosks.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { checkQuickPin, type PinOwner } from '../operators/quick-pin.ts';
import type { Ports } from '../ports/ports.ts';

export type PinDeps = Pick<Ports, 'db' | 'clock'> & { refusals: RefusalLog };

/** @throws Refusal `wrong_pin`, `locked_out` */
export async function staffOf(
  deps: PinDeps,
  { id: kioskId, companyId }: Kiosk,
  { operator_id: operatorId, pin }: KioskProof,
): Promise<PinOwner> {
  const [operator] = await checkQuickPin(deps, { operatorId, pin, kioskId, companyId });
  return operator;
}

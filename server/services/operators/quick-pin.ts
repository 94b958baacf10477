/** The kiosk PIN of staff: unlocks a kiosk, never signs in to the console. */
import { operatorActor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { hasPinHolder, listPinHolders } from '../../store/operators/operators.ts';
import type { Role } from '../../contract/console/common.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { verifySecret } from './hashing.ts';
import { claimPin } from './lock-out.ts';

export type PinOwner = { id: string; name: string; role: Role };

/** Whether anyone can unlock a company's kiosks. */
export const isPinSet = (db: SqlReader, companyId: string): Promise<boolean> => hasPinHolder(db, companyId);

/**
 * The owners of this PIN. Each attempt is compared with every PIN that could fit, so that its time tells nothing.
 * @param request `operatorId` null: any owner, because a kiosk shows no names before the PIN
 * @returns one, or several who chose the same PIN
 * @throws Refusal `wrong_pin`, `locked_out`
 */
export async function checkQuickPin(
  { db, clock, refusals }: Pick<Ports, 'db' | 'clock'> & { refusals: RefusalLog },
  request: { operatorId: string | null; pin: string; kioskId: string; companyId: string },
): Promise<[PinOwner, ...PinOwner[]]> {
  const { operatorId, pin, kioskId, companyId } = request;
  const attempt = await claimPin(db, { kioskId, companyId }, clock.now());
  const holders = await listPinHolders(db, companyId);
  const asked = operatorId === null ? holders : holders.filter(({ id }) => id === operatorId);
  const owners: PinOwner[] = [];
  // One after the other, because only a few hashes may run at once. Without a holder, the same work is done once.
  for (const holder of asked.length === 0 ? [null] : asked) {
    if ((await verifySecret(holder?.pinHash ?? null, pin)) && holder) owners.push(holder);
  }
  const [first, ...others] = owners;
  const place = `kiosk:${kioskId}`;
  if (first === undefined) {
    const subject = asked.length === 1 ? (asked[0]?.id ?? '') : 'unknown operator';
    refusals.note({ action: 'operator.pin_failed', subject, source: place });
    throw new Refusal('wrong_pin');
  }
  await db.tx(async (tx) => {
    await attempt.succeeded(tx);
    // Of several, the one who used it says so next.
    if (others.length > 0) return;
    await appendAudit(tx, {
      at: clock.now(),
      actor: operatorActor(first.id),
      action: 'operator.pin_used',
      subject: place,
    });
  });
  return [first, ...others];
}

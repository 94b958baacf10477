/** Pairing: the console shows a short code, the device turns it into a token of its own, once. */
import type { KioskPairResponse } from '../../contract/kiosk.ts';
import { canonicalPairingCode } from '../../domain/pairing-code.ts';
import { appendAudit } from '../../store/audit.ts';
import { pairKiosk } from '../../store/kiosks.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import { sha256 } from '../ids.ts';
import { newKioskToken } from './tokens.ts';

/** How a pairing code is kept and looked up. */
export const pairingCodeHash = (code: string): Buffer => sha256(`pairing:${canonicalPairingCode(code)}`);

/**
 * Turns a code into a device token. A device that was paired as this kiosk before is out from then on.
 * @throws ServiceError `invalid_pairing_code` for one that is unknown, used or too old
 */
export async function pairDevice(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  code: string,
): Promise<KioskPairResponse> {
  const token = newKioskToken();
  const kiosk = await db.tx(async (tx) => {
    const at = clock.now();
    const paired = await pairKiosk(tx, pairingCodeHash(code), { tokenHash: sha256(token), at });
    if (!paired) throw new ServiceError('invalid_pairing_code');
    await appendAudit(tx, {
      at,
      actor: `kiosk:${paired.id}`,
      action: 'kiosk.paired',
      companyId: paired.companyId,
      partition: null,
      subject: paired.id,
      details: { name: paired.name },
    });
    return paired;
  });
  return { kiosk_id: kiosk.id, name: kiosk.name, device_token: token };
}

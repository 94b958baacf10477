/** The secrets of kiosks, stored as hashes: device tokens and pairing codes. */
import { canonicalPairingCode } from '../../domain/venue/event.ts';
import { findKioskByToken, type Kiosk } from '../../store/venue/kiosks.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { randomBase62, sha256 } from '../ports/ids.ts';

/** 256 bits, stored as a hash. */
export const newKioskToken = (): string => `kt_${randomBase62(43)}`;

/** How a pairing code is stored and looked up. */
export const pairingCodeHash = (code: string): Buffer => sha256(`pairing:${canonicalPairingCode(code)}`);

/** @throws Refusal `kiosk_token_required`, `invalid_kiosk_token` for one that is unknown or revoked */
export async function authoriseKiosk(db: SqlReader, token: string | null): Promise<Kiosk> {
  if (token === null) throw new Refusal('kiosk_token_required');
  const kiosk = await findKioskByToken(db, sha256(token));
  if (!kiosk) throw new Refusal('invalid_kiosk_token');
  return kiosk;
}

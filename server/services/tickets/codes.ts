/** How a ticket's code is found without being stored: by its HMAC. */
import { createHmac, randomBytes } from 'node:crypto';
import { insertSigningKey, listSigningKeys } from '../../store/keys/signing-keys.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';

/** Purpose of the key among the installation's. */
export const TICKET_KEYS = 'tickets';
const KEY_BYTES = 32;

/** Bytes of `tickets.code_hash`. */
export type HashCode = (code: string) => Buffer;

/** Reads the installation's key, which the first call makes. It never changes: codes are not stored to be hashed again. */
export async function ticketHasher({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<HashCode> {
  const [known] = await listSigningKeys(db, TICKET_KEYS);
  if (known) return hasherOf(known.secret);
  return db.tx(async (tx: SqlTx) => {
    await insertSigningKey(tx, TICKET_KEYS, { version: 1, secret: randomBytes(KEY_BYTES) }, clock.now());
    const [kept] = await listSigningKeys(tx, TICKET_KEYS);
    if (!kept) throw new Error('There is no key for the codes of tickets.');
    return hasherOf(kept.secret);
  });
}

export const hasherOf =
  (key: Uint8Array): HashCode =>
  (code) =>
    createHmac('sha256', key).update(code, 'utf8').digest();

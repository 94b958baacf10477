/** The key by which tickets' codes are found. */
import { randomBytes } from 'node:crypto';
import { type HashCode, hasherOf, TICKET_KEYS } from '../../domain/tickets/code-hash.ts';
import { insertSigningKey, listSigningKeys } from '../../store/keys/signing-keys.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';

const KEY_BYTES = 32;

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

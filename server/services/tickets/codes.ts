/** The key by which tickets' codes are found. */
import { type HashCode, hasherOf, TICKET_KEYS } from '../../domain/tickets/code-hash.ts';
import { loadSigningKeys } from '../../store/keys/signing-keys.ts';
import type { Ports } from '../ports/ports.ts';

/** Reads the installation's key, which the first call makes. It never changes: codes are not stored to be hashed again. */
export async function ticketHasher({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<HashCode> {
  const [{ secret }] = await loadSigningKeys(db, TICKET_KEYS, clock.now());
  return hasherOf(secret);
}

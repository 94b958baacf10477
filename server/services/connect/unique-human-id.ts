import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../../store/sql/port.ts';
import { insertSigningKey, listSigningKeys } from '../../store/keys/signing-keys.ts';
import type { Clock } from '../clock.ts';

const SECRET_BYTES = 32;
const PREFIX = 'uh_';

/**
 * A person's ID for one company: stable there, and not comparable between two companies, since each has a secret of
 * its own (decisions §4.7). 43 base64url characters after `uh_`.
 */
export async function uniqueHumanId(
  { db, clock }: { db: Database; clock: Clock },
  companyId: string,
  personId: string,
): Promise<string> {
  const secret = await companySecret(db, clock, companyId);
  return PREFIX + createHmac('sha256', secret).update(personId).digest('base64url');
}

/** Created when first needed; never rotated, or the IDs would change. */
async function companySecret(db: Database, clock: Clock, companyId: string): Promise<Uint8Array> {
  const purpose = `unique-human-id:${companyId}`;
  const [known] = await listSigningKeys(db, purpose);
  if (known) return known.secret;
  const made = { version: 1, secret: randomBytes(SECRET_BYTES) };
  const [kept] = await db.tx(async (tx) => {
    await insertSigningKey(tx, purpose, made, clock.now());
    return listSigningKeys(tx, purpose);
  });
  if (!kept) throw new Error('A secret that was just stored is not there.');
  return kept.secret;
}

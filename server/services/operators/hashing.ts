/**
 * Passphrases and PINs are stored as Argon2id hashes, with OWASP's recommended cost for a server that also does other
 * work.
 */
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { Refusal } from '../../refusals/refusal.ts';

/** Memory of one hash; 19 MiB with two passes is OWASP's first choice for Argon2id (Password Storage Cheat Sheet). */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const OUTPUT_BYTES = 32;
const OPTIONS = { memoryCost: MEMORY_KIB, timeCost: PASSES, parallelism: LANES, outputLen: OUTPUT_BYTES };

/** Concurrent hashes, so that a flood of sign-ins takes neither the memory nor the threads of the face checks. */
const AT_ONCE = 2;
const MAX_WAITING = 32;
const BUSY_RETRY_S = 5;

const atOnce = pLimit(AT_ONCE);

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (atOnce.pendingCount >= MAX_WAITING) throw new Refusal('busy', { retryAfterS: BUSY_RETRY_S });
  return atOnce(work);
}

/** Normalises a passphrase typed on different keyboards or systems. */
const canonical = (secret: string): string => secret.normalize('NFKC');

/** A salted hash in PHC form, its cost included. */
export const hashSecret = (secret: string): Promise<string> =>
  oneOfFew(() => hash(canonical(secret), OPTIONS));

let decoy: Promise<string> | undefined;

/** Whether the secret matches. Without a hash the same work is done and the result is false. */
export async function verifySecret(stored: string | null, secret: string): Promise<boolean> {
  decoy ??= hash('nobody has this passphrase', OPTIONS);
  const against = stored ?? (await decoy);
  const fits = await oneOfFew(() => verify(against, canonical(secret)));
  return stored !== null && fits;
}

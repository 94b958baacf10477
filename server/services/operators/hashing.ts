/** Passphrases and PINs are kept as Argon2id, with OWASP's recommended cost for a server that is also doing other work. */
import { hash, verify } from '@node-rs/argon2';
import { ConsoleError } from '../errors.ts';

/** Memory of one hash; 19 MiB with two passes is OWASP's first choice for Argon2id (Password Storage Cheat Sheet). */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const OUTPUT_BYTES = 32;
const OPTIONS = { memoryCost: MEMORY_KIB, timeCost: PASSES, parallelism: LANES, outputLen: OUTPUT_BYTES };

/** Hashes at once, so that a flood of sign-ins takes neither the memory nor the threads of the face checks. */
const AT_ONCE = 2;
const MAX_WAITING = 32;
const BUSY_RETRY_S = 5;

let running = 0;
const waiting: (() => void)[] = [];

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) {
      throw new ConsoleError('busy', null, { retryAfterS: BUSY_RETRY_S });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The same passphrase typed on another keyboard or system. */
const canonical = (secret: string): string => secret.normalize('NFKC');

/** A salted hash in PHC form, its cost included. */
export const hashSecret = (secret: string): Promise<string> =>
  oneOfFew(() => hash(canonical(secret), OPTIONS));

let decoy: Promise<string> | undefined;

/** Whether the secret is the one. Without a hash the same work is done and the answer is no. */
export async function verifySecret(stored: string | null, secret: string): Promise<boolean> {
  decoy ??= hash('nobody has this passphrase', OPTIONS);
  const against = stored ?? (await decoy);
  const fits = await oneOfFew(() => verify(against, canonical(secret)));
  return stored !== null && fits;
}

import { MIN_LEAKED_CHARS } from '../../domain/operators/passphrase.ts';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { findOperator } from '../../store/operators/operators.ts';
import type { Ports } from '../ports/ports.ts';
import type { RefusalLog } from '../keys/refusals.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { verifySecret } from './hashing.ts';
import { claimConfirmation } from './lock-out.ts';
import type { SignedIn } from './operator-session.ts';

/**
 * Requires the passphrase again for actions that a stolen session must not perform. Wrong ones are counted separately
 * from sign-in, so that a stolen session cannot lock its operator out.
 * @throws Refusal `wrong_passphrase`, `locked_out`, `busy`
 */
export async function confirmPassphrase(
  { db, clock, refusals }: Pick<Ports, 'db' | 'clock'> & { refusals: RefusalLog },
  { operator, actor }: SignedIn,
  passphrase: string,
): Promise<void> {
  const attempt = await claimConfirmation(db, operator, clock.now());
  const stored = await findOperator(db, operator.id);
  let fits: boolean;
  try {
    fits = await verifySecret(stored?.passphraseHash ?? null, passphrase);
  } catch (error) {
    await db.tx((tx) => attempt.withdraw(tx), attempt.lock);
    throw error;
  }
  if (!fits) {
    const details = { reason: 'passphrase asked for again' };
    refusals.note({ action: 'operator.sign_in_failed', actor, subject: operator.id, source: null, details });
    throw new Refusal('wrong_passphrase');
  }
  await db.tx((tx) => attempt.succeeded(tx), attempt.lock);
}

let leaked: Promise<ReadonlySet<string>> | undefined;

/** About 18,000 passwords of known leaks. They come with the product, because the machine may be offline. */
export const leakedPasswords = (): Promise<ReadonlySet<string>> =>
  (leaked ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(
        dictionary['passwords-common']
          .map((password) => password.toLowerCase())
          .filter(({ length }) => length >= MIN_LEAKED_CHARS),
      ),
  ));

/** Six of 2,048 words: 66 bits, and easy to read out. */
const WORDS = 6;

export function generatePassphrase(randomInt: Ports['randomInt']): string {
  return Array.from({ length: WORDS }, () => wordlist[randomInt(wordlist.length)] ?? '').join('-');
}

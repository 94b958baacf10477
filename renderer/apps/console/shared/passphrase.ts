/** How strong a new passphrase looks while it is typed. Advice only: the server decides. */
import { MIN_PASSPHRASE_CHARS } from '../../../../server/contract/console/access.ts';

export type Strength = 'short' | 'weak' | 'fair' | 'strong';

const STRONG_CHARS = 20;
const STRONG_WORDS = 4;
const MIN_DIFFERENT_CHARS = 7;

/** Measures length and variety, which make guessing hard; special characters alone add little. */
export function strengthOf(passphrase: string): Strength {
  if (passphrase.length < MIN_PASSPHRASE_CHARS) return 'short';
  const different = new Set(passphrase.toLowerCase()).size;
  if (different < MIN_DIFFERENT_CHARS || /^(.{1,4})\1+$/.test(passphrase)) return 'weak';
  const words = new Set(
    passphrase
      .trim()
      .toLowerCase()
      .split(/[\s\-_.]+/),
  );
  return passphrase.length >= STRONG_CHARS || words.size >= STRONG_WORDS ? 'strong' : 'fair';
}

/** What makes a passphrase too weak. */
import { MAX_PASSPHRASE_CHARS, MIN_PASSPHRASE_CHARS } from '../../contract/console/access.ts';
import type { PassphraseProblem } from '../../contract/console/errors.ts';

/** Fewer different characters make a pattern, not a passphrase. */
const MIN_DIFFERENT_CHARS = 6;
/** Keyboard and alphabet sequences. Attackers try a passphrase made only of them first. */
const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];
const SEQUENCE_LENGTH = 4;
/** Words at the top of every list of guesses. */
const COMMON = [
  'password',
  'passphrase',
  'passwort',
  'letmein',
  'welcome',
  'iloveyou',
  'admin',
  'gatehouse',
  'changeme',
  'secret',
];
/** Characters that must remain after removing names, common words and sequences. */
const MIN_OWN_CHARS = 8;

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Shorter ones are words that people also join to strong passphrases. */
export const MIN_LEAKED_CHARS = 8;

/**
 * The weakness of a passphrase; null if it is strong enough.
 * @param leaked passwords of known leaks, in lower case, with at least `MIN_LEAKED_CHARS`
 */
export function passphraseProblem(
  passphrase: string,
  operatorName: string,
  leaked: ReadonlySet<string>,
): PassphraseProblem | null {
  const characters = Array.from(passphrase);
  if (characters.length < MIN_PASSPHRASE_CHARS) return 'short';
  if (characters.length > MAX_PASSPHRASE_CHARS) return 'long';
  if (new Set(characters).size < MIN_DIFFERENT_CHARS) return 'few_characters';
  if (isRepetition(passphrase)) return 'repeated';
  const own = ownPart(folded(passphrase), folded(operatorName));
  if (own.length < MIN_OWN_CHARS) return 'guessable';
  return withoutLeaked(folded(passphrase).replace(/\s+/g, ''), leaked).length < MIN_OWN_CHARS ||
    withoutLeaked(own, leaked).length < MIN_OWN_CHARS
    ? 'leaked'
    : null;
}

/** The longest leaked password at each place is removed. */
function withoutLeaked(text: string, leaked: ReadonlySet<string>): string {
  let rest = '';
  for (let start = 0; start < text.length;) {
    let end = text.length;
    while (end - start >= MIN_LEAKED_CHARS && !leaked.has(text.slice(start, end))) end -= 1;
    const isFound = end - start >= MIN_LEAKED_CHARS;
    if (!isFound) rest += text.charAt(start);
    start = isFound ? end : start + 1;
  }
  return rest;
}

/** "abcabcabc": the doubled text contains the text before its second half. */
function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) < text.length;
}

function ownPart(passphrase: string, name: string): string {
  const names = name.split(/\s+/).filter((part) => part.length >= 3);
  let rest = passphrase.replace(/\s+/g, '');
  for (const known of [...names, ...COMMON]) rest = rest.replaceAll(known, '');
  return withoutSequences(rest);
}

function withoutSequences(text: string): string {
  for (let start = 0; start + SEQUENCE_LENGTH <= text.length; start += 1) {
    const length = sequenceAt(text, start);
    if (length >= SEQUENCE_LENGTH) return withoutSequences(text.slice(0, start) + text.slice(start + length));
  }
  return text;
}

/** Length of the longest sequence of keys or letters that begins here, forwards or backwards. */
function sequenceAt(text: string, start: number): number {
  let longest = 0;
  for (const row of SEQUENCES.flatMap((keys) => [keys, Array.from(keys).reverse().join('')])) {
    let end = start + longest + 1;
    while (end <= text.length && row.includes(text.slice(start, end))) end += 1;
    longest = Math.max(longest, end - 1 - start);
  }
  return longest;
}

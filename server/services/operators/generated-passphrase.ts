import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Ports } from '../ports.ts';

/** Six of 2,048 words: 66 bits, and easy to read out. */
const WORDS = 6;

export function generatePassphrase(randomInt: Ports['randomInt']): string {
  return Array.from({ length: WORDS }, () => wordlist[randomInt(wordlist.length)] ?? '').join('-');
}

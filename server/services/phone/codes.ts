import { timingSafeEqual } from 'node:crypto';
import { CODE_DIGITS } from '../../domain/phone/code.ts';
import { sha256 } from '../ids.ts';

export function randomCode(randomInt: (n: number) => number): string {
  return Array.from({ length: CODE_DIGITS }, () => randomInt(10)).join('');
}

/** Digits only, because people type the gap that the message shows. Compared in constant time. */
export function sameCode(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given.replace(/\D/g, '')), sha256(expected));
}

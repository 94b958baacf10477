/** The code that pairs a kiosk: short enough to be typed, without characters that are mistaken for one another. */

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
const GROUP = 4;
/** 30^8 codes (39 bits), for ten minutes, with attempts that are counted. */
export const PAIRING_LIFETIME_MS = 10 * 60_000;

/** As it is shown: `7KQP-3MZX`. @param randomInt uniform in [0, n) */
export function newPairingCode(randomInt: (n: number) => number): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(
    '',
  );
  return `${characters.slice(0, GROUP)}-${characters.slice(GROUP)}`;
}

/** What is compared: without spaces, hyphens and case. */
export const canonicalPairingCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

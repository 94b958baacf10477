import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import validator from 'validator';

/** A person's credential, normalised for comparison. */
export type Identity = { provider: 'email' | 'phone' | 'test'; identifier: string };

/** Contract, "v2 resources", test number ranges: global, and US (`+1<area_code>555` `01` and two digits). */
const TEST_NUMBERS = [/^\+99901\d{7,12}$/, /^\+1\d{3}55501\d{2}$/];
/** Numbers that are never sent to a network. They are longer than E.164 allows, so they are recognised first. */
export function isTestNumber(e164: string): boolean {
  return TEST_NUMBERS.some((range) => range.test(e164));
}

/** Trimmed, lower-case address; null if it cannot be an address (decisions §3.6). */
export function normaliseEmail(input: string): Identity | null {
  const candidate = input.trim().toLowerCase();
  // Half a surrogate pair is not a character, and the check below throws on it.
  if (!candidate.isWellFormed()) return null;
  return validator.isEmail(candidate) ? { provider: 'email', identifier: candidate } : null;
}

/** E.164, or null. Spaces, dashes and brackets are dropped. */
export function normalisePhone(input: string): Identity | null {
  const compact = input.trim().replace(/[\s().-]/g, '');
  if (isTestNumber(compact)) return { provider: 'phone', identifier: compact };
  if (!compact.startsWith('+')) return null;
  const parsed = parsePhoneNumberFromString(compact);
  return parsed?.isValid() ? { provider: 'phone', identifier: parsed.number } : null;
}

export function sameIdentity(a: Identity, b: Identity): boolean {
  return a.provider === b.provider && a.identifier === b.identifier;
}

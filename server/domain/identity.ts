import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import validator from 'validator';

/** A person's credential, canonical: the only form that is compared (decisions §3.18). */
export type Identity = {
  provider: 'email' | 'phone' | 'test';
  identifier: string;
  /** An address as it was sent, for staff to read, without what nobody can see; left out if it is the same. */
  given?: string;
};

/** Contract, "v2 resources", test number ranges: global, and US (`+1<area_code>555` `01` and two digits). */
const TEST_NUMBERS = [/^\+99901\d{7,12}$/, /^\+1\d{3}55501\d{2}$/];
/** Numbers that are never sent to a network. They are longer than E.164 allows, so they are recognised first. */
export function isTestNumber(e164: string): boolean {
  return TEST_NUMBERS.some((range) => range.test(e164));
}

/** Direction marks, zero-width characters and fillers. Two addresses that differ in these look the same. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** In a domain, these two can make another name (IDNA2008, CONTEXTJ); the conversion judges where. */
const INVISIBLE_BUT_JOINERS = /(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const OUTER = /^[\s\u200c\u200d]+|[\s\u200c\u200d]+$/g;
/** What a host parser would decode, cut off or read as an address of IPv6. */
const NOT_IN_DOMAIN = /[\s%/?#\\:@[\]<>^|]/u;

/**
 * An email address without invisible characters, trimmed, NFC, in lower case, with its domain in ASCII. Null if it
 * cannot be an address.
 */
export function canonicalEmail(input: string): Identity | null {
  // Half a surrogate pair is not a character, and the check below throws on it.
  if (!input.isWellFormed()) return null;
  const text = input.replace(INVISIBLE_BUT_JOINERS, '').replace(OUTER, '');
  const at = text.lastIndexOf('@');
  if (at < 0) return null;
  const name = text.slice(0, at).replace(INVISIBLE, '');
  const domain = asciiDomain(text.slice(at + 1));
  const identifier = `${name.normalize('NFC').toLowerCase().normalize('NFC')}@${domain}`;
  if (domain === '' || !validator.isEmail(identifier)) return null;
  const given = name + text.slice(at);
  return { provider: 'email', identifier, ...(given !== identifier && { given }) };
}

/** By UTS 46, non-transitional: `faß.example` is not `fass.example`. Empty if it is no domain. */
function asciiDomain(text: string): string {
  if (NOT_IN_DOMAIN.test(text)) return '';
  return hostOf(text) ?? hostOf(text.replace(INVISIBLE, '')) ?? '';
}

const hostOf = (text: string): string | undefined => URL.parse(`https://${text}`)?.hostname;

/** East Asian keyboards write signs as wide as their letters; FE62 is the small plus. */
const FULL_WIDTH = /[\uff01-\uff5e\ufe62]/g;
const halfWidth = (sign: string): string =>
  sign === '\ufe62' ? '+' : String.fromCharCode(sign.charCodeAt(0) - 0xfee0);
const TEL = /^tel:/i;
/** What people and address books put between digits: spaces, all dashes, all brackets, and the usual marks. */
const SEPARATORS = /[\s\p{Pd}\p{Ps}\p{Pe}\u2212./·•_~]/gu;

/** A number in E.164 (or of a test range), from digits of any script. Null if it cannot be a number. */
export function canonicalPhone(input: string): Identity | null {
  const compact = input
    .replace(INVISIBLE, '')
    .replace(FULL_WIDTH, halfWidth)
    .trim()
    .replace(TEL, '')
    .replace(SEPARATORS, '')
    .replace(/\p{Nd}/gu, asciiDigit);
  if (isTestNumber(compact)) return { provider: 'phone', identifier: compact };
  if (!/^\+\d+$/.test(compact)) return null;
  const parsed = parsePhoneNumberFromString(compact);
  return parsed?.isValid() ? { provider: 'phone', identifier: parsed.number } : null;
}

/** Each script's digits follow one another, from its zero. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** Every credential that a searched text may be. */
export const identifiersIn = (text: string): string[] =>
  [canonicalEmail(text), canonicalPhone(text)].flatMap((identity) => identity?.identifier ?? []);

export function sameIdentity(a: Identity, b: Identity): boolean {
  return a.provider === b.provider && a.identifier === b.identifier;
}

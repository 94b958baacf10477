/** The v2 sandbox: numbers of the test ranges and their codes (contract, v2 rule 6; decisions §4.6). */
import type {
  SandboxCodeRequest,
  SandboxCodeResponse,
  SandboxPhoneRequest,
  SandboxPhoneResponse,
} from '../../contract/v2.ts';
import { isTestNumber, canonicalPhone } from '../../domain/identity.ts';
import { codeOfTestNumber } from '../../domain/phone/code.ts';
import type { Scope } from '../../domain/scope.ts';
import { Refusal } from '../../refusals/refusal.ts';

/**
 * The company that a call without a key acts for. The sandbox stores nothing, so this company has a name and no rows.
 */
export const PUBLIC_SANDBOX: Scope = { companyId: 'public-sandbox', partition: 'test' };

const DEFAULT_AREA_CODE = '210';
/** Of the 7 to 12 digits that a global number may have; enough to make duplicates unlikely. */
const GLOBAL_DIGITS = 10;

/** @throws Refusal `DEMO_ACCOUNT_REQUIRED` for a production key */
export function requireDemo({ partition }: Scope): void {
  if (partition === 'test') return;
  throw new Refusal('DEMO_ACCOUNT_REQUIRED', {
    message: 'The sandbox takes demo keys (ak_test_…) only. Send one, or no key.',
  });
}

/** A test number and its code. Without a type, an area code selects a US number. */
export function sandboxPhoneNumber(
  randomInt: (n: number) => number,
  { type, area_code: areaCode }: SandboxPhoneRequest,
): SandboxPhoneResponse {
  const isUs = (type ?? (areaCode === undefined ? 'global' : 'us')) === 'us';
  const number = isUs
    ? `+1${areaCode ?? DEFAULT_AREA_CODE}55501${digits(randomInt, 2)}`
    : `+99901${digits(randomInt, GLOBAL_DIGITS)}`;
  return { phone_number: number, verification_code: codeOfTestNumber(number) };
}

/** The code of a test number. @throws Refusal `INVALID_REQUEST` for any other number */
export function sandboxVerificationCode({ phone_number: text }: SandboxCodeRequest): SandboxCodeResponse {
  const number = canonicalPhone(text)?.identifier;
  if (number === undefined || !isTestNumber(number)) {
    throw new Refusal('INVALID_REQUEST', {
      message:
        'phone_number: only numbers of the test ranges (+99901…, +1<area code>55501xx) have a code here.',
    });
  }
  return { verification_code: codeOfTestNumber(number) };
}

const digits = (randomInt: (n: number) => number, count: number): string =>
  String(randomInt(10 ** count)).padStart(count, '0');

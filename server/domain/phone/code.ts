/** Codes that prove a phone number (decisions §6): their limits, and when one may be sent. */
import { CODE_DIGITS } from '../../contract/flow.ts';
import type { Identity } from '../identity.ts';

export const CODE_LIFETIME_MS = 10 * 60_000;
export const CODE_TRIES = 5;
export const RESEND_AFTER_MS = 30_000;
const SENDS_PER_SESSION = 5;
const SENDS_PER_NUMBER_AND_DAY = 10;

/** Hourly limits for codes without a session. */
export const OWN_CODES_PER_ADDRESS = 20;
export const OWN_CODES_PER_NUMBER = 3;
export const OWN_CODES_PER_PREFIX = 30;
const PREFIX_DIGITS = 7;

/** The first seven digits of an E.164 number, which numbers bought as one range share. */
export const prefixOfNumber = (number: string): string => number.replace(/\D/g, '').slice(0, PREFIX_DIGITS);

type SendFacts = {
  nowMs: number;
  /** For the session's latest code. */
  lastSentAt: number | null;
  sentInSession: number;
  sentToNumberToday: number;
  /** Start of the next UTC day. */
  nextDayMs: number;
};

type SendDecision =
  | { allowed: true }
  | { allowed: false; refusal: 'resend_too_soon' | 'too_many_codes'; retryAfterMs: number | null };

export function maySend(facts: SendFacts): SendDecision {
  if (facts.sentInSession >= SENDS_PER_SESSION) {
    return { allowed: false, refusal: 'too_many_codes', retryAfterMs: null };
  }
  if (facts.sentToNumberToday >= SENDS_PER_NUMBER_AND_DAY) {
    return { allowed: false, refusal: 'too_many_codes', retryAfterMs: facts.nextDayMs - facts.nowMs };
  }
  const waited = facts.lastSentAt === null ? RESEND_AFTER_MS : facts.nowMs - facts.lastSentAt;
  if (waited < RESEND_AFTER_MS) {
    return {
      allowed: false,
      refusal: 'resend_too_soon',
      retryAfterMs: RESEND_AFTER_MS - Math.max(waited, 0),
    };
  }
  return { allowed: true };
}

/** Contract, v2 sandbox: the code of a test number is its last six digits. */
export function codeOfTestNumber(number: string): string {
  return number.slice(-CODE_DIGITS);
}

/** Only the country's digits and the last two are shown: enough for the owner, too little for anyone else. */
export function maskNumber(number: string): string {
  return `${number.slice(0, 3)}${'•'.repeat(Math.max(number.length - 5, 1))}${number.slice(-2)}`;
}

/** "ana@example.com" becomes "a•••@example.com"; a number keeps its end. */
export function maskIdentity({ provider, identifier }: Identity): string {
  if (provider === 'phone') return maskNumber(identifier);
  const at = identifier.lastIndexOf('@');
  return at > 0 ? `${identifier.slice(0, 1)}•••${identifier.slice(at)}` : `${identifier.slice(0, 1)}•••`;
}

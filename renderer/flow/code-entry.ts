/** What a person typed or pasted as a code, and how long until another may be sent. */
import type { PhoneState } from '../../server/contract/flow.ts';

/** Digits of a code (decisions §6). */
export const CODE_LENGTH = 6;

/** Digits of the number that a computer shows and its phone asks for. */
export const NUMBER_LENGTH = 2;

const digitsOf = (text: string, length: number): string =>
  text.normalize('NFKC').replace(/\D/g, '').slice(0, length);

/** The digits of a text, whatever stands between them, as far as a code goes: "Your code: 123 456" → "123456". */
export const codeDigits = (text: string): string => digitsOf(text, CODE_LENGTH);

/** As `codeDigits`, for the computer's number. */
export const numberDigits = (text: string): string => digitsOf(text, NUMBER_LENGTH);

/**
 * Whole seconds until a code may be sent again, at most what the server waits between two: a phone whose clock is wrong
 * waits no longer than one whose clock is right.
 */
export function resendWaitS(
  { code_sent_at: sentAt, resend_at: resendAt }: PhoneState,
  nowMs: number,
): number {
  if (sentAt === null || resendAt === null) return 0;
  const wholeMs = Date.parse(resendAt) - Date.parse(sentAt);
  const leftMs = Math.min(Date.parse(resendAt) - nowMs, wholeMs);
  return Math.max(0, Math.ceil(leftMs / 1_000));
}

/** Codes and numbers that a person types. */
import { CODE_DIGITS, MATCH_CODE_DIGITS } from '../../server/contract/flow.ts';

const digitsOf = (text: string, length: number): string =>
  text.normalize('NFKC').replace(/\D/g, '').slice(0, length);

/** The digits of a text, whatever is between them, up to the length of a code: "Your code: 123 456" → "123456". */
export const codeDigits = (text: string): string => digitsOf(text, CODE_DIGITS);

/** Like `codeDigits`, for the computer's number. */
export const numberDigits = (text: string): string => digitsOf(text, MATCH_CODE_DIGITS);

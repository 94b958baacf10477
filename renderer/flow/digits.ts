/** Codes and numbers that a person types. */

/** Digits of a code (decisions §6). */
export const CODE_LENGTH = 6;

/** Digits of the number that a computer shows and its phone asks for. */
export const NUMBER_LENGTH = 2;

const digitsOf = (text: string, length: number): string =>
  text.normalize('NFKC').replace(/\D/g, '').slice(0, length);

/** The digits of a text, whatever is between them, up to the length of a code: "Your code: 123 456" → "123456". */
export const codeDigits = (text: string): string => digitsOf(text, CODE_LENGTH);

/** Like `codeDigits`, for the computer's number. */
export const numberDigits = (text: string): string => digitsOf(text, NUMBER_LENGTH);

import { expect, test } from 'vitest';
import { codeDigits, resendWaitS } from './code-entry.ts';

test.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  ['Your code: 123-456.', '123456'],
  ['１２３４５６', '123456'],
  ['1234567', '123456'],
  ['12a', '12'],
  ['', ''],
])('of "%s" the code is "%s"', (text, digits) => {
  expect(codeDigits(text)).toBe(digits);
});

const SENT = Date.parse('2026-01-01T00:00:00.000Z');
const phone = (sent: boolean) => ({
  locked: false,
  hint: '••• 23',
  code_sent_at: sent ? '2026-01-01T00:00:00.000Z' : null,
  resend_at: sent ? '2026-01-01T00:00:30.000Z' : null,
  tries_left: 5,
});

test.each([
  [0, 30],
  [10_400, 20],
  [30_000, 0],
  [999_000, 0],
  // A phone whose clock is an hour behind.
  [-3_600_000, 30],
])('%i ms after a code was sent, another may follow in %i s', (sinceMs, waitS) => {
  expect(resendWaitS(phone(true), SENT + sinceMs)).toBe(waitS);
});

test('nothing is waited for before the first code', () => {
  expect(resendWaitS(phone(false), SENT)).toBe(0);
});

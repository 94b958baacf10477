import { expect, test } from 'vitest';
import { messagesOf } from '../../locales/node.ts';
import { waitInWords } from '../i18n/language.ts';
import { codeDigits } from './digits.ts';
import { NO_PHONE, phoneTroubleText, phoneWords, resendWaitS } from './phone-step.ts';

const texts = messagesOf('hosted', 'en').phone;

test('a wait is given in whole minutes up to an hour, then in hours, never too short', () => {
  const inWords = [1, 61, 3_600, 3_601, 43_200].map((seconds) => waitInWords(seconds, 'en'));
  expect(inWords).toEqual(['in 1 minute', 'in 2 minutes', 'in 60 minutes', 'in 2 hours', 'in 12 hours']);
  expect(waitInWords(2_400, 'de')).toBe('in 40 Minuten');
  expect(waitInWords(2_400, 'es')).toBe('dentro de 40 minutos');
  expect(waitInWords(2_400, 'fr')).toBe('dans 40 minutes');
});

test('a refused code has the remaining tries, and a refused number the wait', () => {
  const wrong = { trouble: 'wrong_code', triesLeft: 4, retryAfterS: null } as const;
  const tooMany = { trouble: 'too_many_codes', triesLeft: null, retryAfterS: 2_400 } as const;
  expect(phoneTroubleText(wrong, texts, 'en')).toBe(
    `${texts.trouble.wrong_code} ${texts.triesLeft({ count: 4 })}`,
  );
  expect(phoneTroubleText(tooMany, texts, 'en')).toBe(texts.tooManyUntil({ when: 'in 40 minutes' }));
});

test('where staff read codes out, nothing promises a text message', () => {
  const readOut = { ...NO_PHONE, read_out: true as const, hint: '+49••89' };
  for (const language of ['en', 'es', 'fr', 'de'] as const) {
    const { phone: messages } = messagesOf('hosted', language);
    for (const locked of [false, true]) {
      const { text, codeText, help } = phoneWords({ ...readOut, locked }, messages, 'Venue');
      expect(`${text} ${codeText}`).not.toMatch(/message|SMS|sent|enviad|envoy|gesendet/i);
      expect(help).toBeNull();
    }
  }
  expect(phoneWords(readOut, texts, 'Venue').codeText).toBe('Ask staff for the code for +49••89.');
  expect(phoneWords(NO_PHONE, texts, 'Venue').help).toBe(texts.help);
});

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

test('there is no wait before the first code', () => {
  expect(resendWaitS(phone(false), SENT)).toBe(0);
});

import { expect, test } from 'vitest';
import { messagesOf } from '../../locales/node.ts';
import { waitInWords } from '../i18n/language.ts';
import { codeDigits } from './digits.ts';
import { NO_PHONE, phoneTroubleText, phoneWords } from './phone-step.ts';

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

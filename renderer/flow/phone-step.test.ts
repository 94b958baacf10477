import { expect, test } from 'vitest';
import { messagesOf } from '../../locales/node.ts';
import { phoneTroubleText, waitInWords } from './phone-step.ts';

const { phone } = messagesOf('hosted', 'en');

test('a wait is given in whole minutes up to an hour, then in hours, never too short', () => {
  const inWords = [1, 61, 3_600, 3_601, 43_200].map((seconds) => waitInWords(seconds, 'en'));
  expect(inWords).toEqual(['in 1 minute', 'in 2 minutes', 'in 60 minutes', 'in 2 hours', 'in 12 hours']);
  expect(waitInWords(2_400, 'de')).toBe('in 40 Minuten');
  expect(waitInWords(2_400, 'es')).toBe('dentro de 40 minutos');
  expect(waitInWords(2_400, 'fr')).toBe('dans 40 minutes');
});

test('a refused code comes with the tries that are left, and a refused number with the wait', () => {
  const wrong = { trouble: 'wrong_code', triesLeft: 4, retryAfterS: null } as const;
  const tooMany = { trouble: 'too_many_codes', triesLeft: null, retryAfterS: 2_400 } as const;
  expect(phoneTroubleText(wrong, phone, 'en')).toBe(`${phone.trouble.wrong_code} ${phone.triesLeft({ count: 4 })}`);
  expect(phoneTroubleText(tooMany, phone, 'en')).toBe(phone.tooManyUntil({ when: 'in 40 minutes' }));
});

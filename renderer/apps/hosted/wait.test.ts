import { expect, it } from 'vitest';
import { waitInWords } from './wait.ts';

it('a wait is told in whole minutes up to an hour, then in hours, never shorter than it is', () => {
  const inWords = [1, 61, 3_600, 3_601, 43_200].map((seconds) => waitInWords(seconds, 'en'));
  expect(inWords).toEqual(['in 1 minute', 'in 2 minutes', 'in 60 minutes', 'in 2 hours', 'in 12 hours']);
  expect(waitInWords(2_400, 'de')).toBe('in 40 Minuten');
  expect(waitInWords(2_400, 'es')).toBe('dentro de 40 minutos');
  expect(waitInWords(2_400, 'fr')).toBe('dans 40 minutes');
});

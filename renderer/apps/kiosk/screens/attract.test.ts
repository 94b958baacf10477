import { expect, test } from 'vitest';
import { otherWelcomes } from './Attract.tsx';

test('the welcome of every language of the event is on its start screen, once', () => {
  const words = { en: { welcome: 'Come in' }, de: { welcome: 'Kommen Sie herein' }, fr: { passed: 'Bon' } };
  const event = { languages: ['en' as const, 'de' as const, 'fr' as const], words };
  expect(otherWelcomes(event, 'en')).toEqual([['de', 'Kommen Sie herein']]);
  expect(otherWelcomes(event, 'fr')).toEqual([
    ['en', 'Come in'],
    ['de', 'Kommen Sie herein'],
  ]);
  expect(otherWelcomes({ ...event, languages: ['en'] }, 'en')).toEqual([]);
});

import { expect, test } from 'vitest';
import { EVERY_LANGUAGE, languageFor, type LanguageOffer } from './languages.ts';

const OFFER: LanguageOffer = { offered: ['en', 'fr', 'de'], default_language: 'fr' };

test.each([
  [['de-AT', 'en'], 'de'],
  [['es-MX', 'en;q=0.8'], 'en'],
  [['es', 'ja'], 'fr'],
  [['english', 'constructor', ''], 'fr'],
  [[], 'fr'],
] as const)('a browser that asks for %j gets %s, which is offered', (wishes, language) => {
  expect(languageFor(OFFER, wishes)).toBe(language);
});

test('without a choice every language is offered, and English is the default', () => {
  expect(languageFor(EVERY_LANGUAGE, ['pt-BR', 'es-MX', 'en'])).toBe('es');
  expect(languageFor(EVERY_LANGUAGE, ['ja'])).toBe('en');
});

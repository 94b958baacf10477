import { expect, test } from 'vitest';
import type { LanguageOffer } from '../../contract/languages.ts';
import { narrowOffer, offerFault, tidyOffer } from './language-offer.ts';

const OFFER: LanguageOffer = { offered: ['en', 'fr', 'de'], default_language: 'fr' };

test('at least one language is offered, and the default is one of them', () => {
  expect(offerFault(OFFER)).toBeNull();
  expect(offerFault({ offered: [], default_language: 'fr' })).toBe('none_offered');
  expect(offerFault({ offered: ['en'], default_language: 'fr' })).toBe('default_not_offered');
});

test('languages are sorted in the usual order, each once', () => {
  expect(tidyOffer({ offered: ['de', 'en', 'de'], default_language: 'de' }).offered).toEqual(['en', 'de']);
});

test('an event offers no language that the installation does not', () => {
  expect(narrowOffer(OFFER, ['en', 'es', 'de'])).toEqual(['en', 'de']);
});

test('an event whose list has no offered language uses the installation’s list, default first', () => {
  expect(narrowOffer(OFFER, ['es'])).toEqual(['fr', 'en', 'de']);
  expect(narrowOffer(OFFER, [])).toEqual(['fr', 'en', 'de']);
});

test('a kiosk greets in the default language, unless its event has its own order', () => {
  expect(narrowOffer(OFFER, ['en', 'es', 'fr', 'de'])).toEqual(['fr', 'en', 'de']);
  expect(narrowOffer(OFFER, ['de', 'en', 'fr'])).toEqual(['de', 'en', 'fr']);
  expect(narrowOffer(OFFER, ['en', 'de'])).toEqual(['en', 'de']);
});

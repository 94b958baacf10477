import { expect, test } from 'vitest';
import { EVERY_LANGUAGE, LANGUAGE_META } from '../../server/contract/languages.ts';
import { offerOf } from './offer.ts';

const said = (offered: string | null, fallback: string | null) =>
  offerOf((name) => (name === LANGUAGE_META.offered ? offered : fallback));

test('a page offers the languages in its document, and no more', () => {
  expect(said('es de', 'de')).toEqual({ offered: ['es', 'de'], default_language: 'de' });
});

test('a language without a catalogue is left out, even as the default', () => {
  expect(said('pt es', 'pt')).toEqual({ offered: ['es'], default_language: 'es' });
});

test('a document without languages offers every language', () => {
  expect(said(null, null)).toEqual(EVERY_LANGUAGE);
  expect(said('pt', 'pt')).toEqual(EVERY_LANGUAGE);
});

import { expect, test } from 'vitest';
import { withLanguages } from './languages.ts';

test('a page gets the offered languages in its document, before its scripts', () => {
  const document = '<!doctype html><html lang="en"><head><script src="a.js"></script></head></html>';
  const page = withLanguages(document, { offered: ['fr', 'de'], default_language: 'de' });
  expect(page).toContain('<meta name="gatehouse:languages" content="fr de" />');
  expect(page.indexOf('content="de"')).toBeLessThan(page.indexOf('<script'));
});

test('of the links to catalogues, only those of the page’s first language stay', () => {
  const link = (language: string) =>
    `<link rel="modulepreload" data-catalogue="${language}" href="${language}.js">`;
  const document = `<head>${link('en')}${link('fr')}${link('de')}</head>`;
  const offer = { offered: ['fr' as const, 'de' as const], default_language: 'fr' as const };
  const asked = withLanguages(document, offer, 'en-GB,de;q=0.8');
  expect([...asked.matchAll(/href="(\w+)/g)].map(([, file]) => file)).toEqual(['de']);
  expect(withLanguages(document, offer)).toContain('fr.js');
});

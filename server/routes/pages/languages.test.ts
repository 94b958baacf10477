import { expect, test } from 'vitest';
import { withLanguages } from './languages.ts';

test('a page is told what it offers with its own document, before its scripts', () => {
  const document = '<!doctype html><html lang="en"><head><script src="a.js"></script></head></html>';
  const page = withLanguages(document, { offered: ['fr', 'de'], default_language: 'de' });
  expect(page).toContain('<meta name="gatehouse:languages" content="fr de" />');
  expect(page.indexOf('content="de"')).toBeLessThan(page.indexOf('<script'));
});

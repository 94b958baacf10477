import { expect, test } from 'vitest';
import { withLanguages } from './languages.ts';

test('a page is told what it offers with its own document, before its scripts', () => {
  const document = '<!doctype html><html lang="en"><head><script src="a.js"></script></head></html>';
  const told = withLanguages(document, { offered: ['fr', 'de'], default_language: 'de' });
  expect(told).toContain('<meta name="gatehouse:languages" content="fr de" />');
  expect(told.indexOf('content="de"')).toBeLessThan(told.indexOf('<script'));
});

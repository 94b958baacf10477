import { expect, test } from 'vitest';
import { messagesOf } from '../../locales/node.ts';
import type { Language } from '../i18n/language.ts';
import { consentTextOf } from './consent.tsx';
import { snapshotWith } from './snapshots.fixture.ts';

const textIn = (language: Language, days: number, photo: { photo_until?: string } = {}) =>
  consentTextOf(
    snapshotWith({ retention_days: days, ...photo }),
    messagesOf('hosted', language).consent,
    language,
  );

test.each([
  ['en', 1, 'Up to 1 day after your last visit.'],
  ['en', 14, 'Up to 14 days after your last visit.'],
  ['en', 365, 'Up to 1 year after your last visit.'],
  ['en', 1095, 'Up to 3 years after your last visit.'],
  ['es', 1, 'Hasta 1 día después de su última visita.'],
  ['es', 14, 'Hasta 14 días después de su última visita.'],
  ['es', 365, 'Hasta 1 año después de su última visita.'],
  ['fr', 1, 'Jusqu’à 1 jour après votre dernière visite.'],
  ['fr', 14, 'Jusqu’à 14 jours après votre dernière visite.'],
  ['fr', 730, 'Jusqu’à 2 ans après votre dernière visite.'],
  ['de', 1, 'Bis zu 1 Tag nach Ihrem letzten Besuch.'],
  ['de', 14, 'Bis zu 14 Tage nach Ihrem letzten Besuch.'],
  ['de', 365, 'Bis zu 1 Jahr nach Ihrem letzten Besuch.'],
] as const)('the consent names the venue’s own period, in %s: %i days', (language, days, sentence) => {
  const { facts, shown } = textIn(language, days);
  expect(facts.at(-1)?.[1].replaceAll(/\s/gu, ' ')).toBe(sentence);
  expect(shown).toEqual({ retention_days: days });
});

test('the consent repeats until when a photo is kept, if the text says so', () => {
  const photo_until = '2026-12-30T12:00:00.000Z';
  const { facts, shown } = textIn('en', 14, { photo_until });
  expect(facts.at(-1)?.[1]).toBe(
    'The code: up to 14 days after your last visit. The photo: until 30 December 2026.',
  );
  expect(shown).toEqual({ retention_days: 14, photo_until });
});

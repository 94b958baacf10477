import { expect, test } from 'vitest';
import {
  EVENT_CONSENT_VERSIONS,
  EVENT_PHOTO_CONSENT_VERSIONS,
  PHOTO_CONSENT_VERSIONS,
  TICKET_CONSENT_VERSIONS,
  TICKET_PHOTO_CONSENT_VERSIONS,
} from '../../server/contract/event-consents.ts';
import { messagesOf } from '../../locales/node.ts';
import type { Language } from '../i18n/language.ts';
import { consentTextOf, hasOwnText } from './consent.tsx';
import { eventConsentTextOf } from './event-consent.ts';
import { snapshotWith } from './snapshots.fixture.ts';

const textIn = (language: Language, days: number) =>
  consentTextOf(snapshotWith({ retention_days: days }), messagesOf('hosted', language).consent, language);

type OfEvent = { faces_days?: number; faces_sealed?: true; photo_until?: string; retention_days?: number };

const ofEventIn = (language: Language, given: OfEvent) =>
  eventConsentTextOf(
    snapshotWith(given),
    messagesOf('hosted', language).consent,
    messagesOf('event-consent', language),
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

const photo_until = '2026-12-30T12:00:00.000Z';

test('the consent repeats until when a photo is kept, if the text says so', () => {
  const { facts, shown, versions } = ofEventIn('en', { retention_days: 14, photo_until });
  expect(facts.at(-1)?.[1]).toBe(
    'The code: up to 14 days after your last visit. The photo: until 30 December 2026.',
  );
  expect(shown).toEqual({ retention_days: 14, photo_until });
  expect(versions).toBe(PHOTO_CONSENT_VERSIONS);
});

test.each([
  ['en', 2, 'at this event only', 'only with those of this event’s guests', 'Up to 2 days after the event.'],
  ['en', 0, 'at this event only', 'only with those of this event’s guests', 'Until the event ends.'],
  ['de', 1, 'nur für diese Veranstaltung', 'nur mit denen der Gäste', 'Bis zu 1 Tag nach der Veranstaltung.'],
  ['es', 1, 'solo en este evento', 'solo con los de los invitados', 'Hasta 1 día después del evento.'],
  ['fr', 1, 'pour cet événement seulement', 'uniquement à ceux', 'Jusqu’à 1 jour après l’événement.'],
] as const)(
  'an event with faces of its own says so, in %s: %i days',
  (language, faces_days, only, compared, howLong) => {
    const { facts, details, shown, versions } = ofEventIn(language, { faces_days });
    const [, [, kept], [, period]] = facts;
    expect(kept).toContain(only);
    expect(period.replaceAll(/\s/gu, ' ')).toBe(howLong);
    expect(details.join('\n')).toContain(compared);
    expect(details).toHaveLength(textIn(language, 1).details.length);
    expect(shown).toEqual({ faces_days });
    expect(versions).toBe(EVENT_CONSENT_VERSIONS);
  },
);

test.each([
  [2, 'The code: up to 2 days after the event. The photo: until 30 December 2026.'],
  [0, 'The code: until the event ends. The photo: until 30 December 2026.'],
])('an event that keeps a photo, too, names both periods: %i days', (faces_days, howLong) => {
  const { facts, details, shown, versions } = ofEventIn('en', { faces_days, photo_until });
  expect(facts.at(-1)?.[1]).toBe(howLong);
  expect(details.at(-1)).toContain('The photo is encrypted.');
  expect(shown).toEqual({ faces_days, photo_until });
  expect(versions).toBe(EVENT_PHOTO_CONSENT_VERSIONS);
});

test.each([
  [
    'en',
    'nobody else uses their ticket',
    'sealed with your ticket’s code',
    'only with the one that was sealed',
  ],
  ['de', 'niemand sonst das Ticket', 'versiegelt mit dem Code', 'nur mit dem, der mit Ihrem Ticket'],
  ['es', 'nadie más use su entrada', 'sellado con el código', 'solo con el que se selló'],
  ['fr', 'personne d’autre n’utilise', 'scellé avec le code', 'uniquement à celui qui a été scellé'],
] as const)('an event that seals faces with tickets says so, in %s', (language, why, kept, compared) => {
  const sealed = { faces_days: 1, faces_sealed: true } as const;
  const { facts, details, versions } = ofEventIn(language, sealed);
  expect(facts[0][1]).toContain(why);
  expect(facts[1][1]).toContain(kept);
  expect(details[1]).toContain(compared);
  expect(details).toHaveLength(textIn(language, 1).details.length);
  // Faces of single pictures are not kept there.
  expect(details[2]).not.toBe(textIn(language, 1).details[2]);
  expect(versions).toBe(TICKET_CONSENT_VERSIONS);
  const withPhoto = ofEventIn(language, { ...sealed, photo_until });
  expect(withPhoto.facts[1][1]).toContain(kept);
  expect(withPhoto.versions).toBe(TICKET_PHOTO_CONSENT_VERSIONS);
});

test('only an event’s faces or photos need a text of their own', () => {
  const all = [snapshotWith(), snapshotWith({ faces_days: 0 }), snapshotWith({ photo_until })];
  expect(all.map(hasOwnText)).toEqual([false, true, true]);
  expect(hasOwnText(null)).toBe(false);
});

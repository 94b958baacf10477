import { afterEach, expect, test } from 'vitest';
import { setVenueZone } from '../shared/time/time.ts';
import { consentAsRead } from './consent-text.ts';

const GAPS = { organiser: 'organiser', duration: 'period', date: 'date' };
const CONSENT = {
  at: '2026-11-23T18:00:00.000Z',
  version: 'hosted-photo-2026-11-23.2',
  language: 'en',
  retention_days: 1_095,
  faces_days: null,
  photo_until: '2026-12-30T23:30:00.000Z',
  text: ['{organiser} asks.', 'The code: up to {duration} after your last visit. The photo: until {date}.'],
};

afterEach(() => setVenueZone(undefined));

test('the text names the recorded period and the day of the photo, in its language and the venue’s zone', () => {
  setVenueZone('Europe/Madrid');
  expect(consentAsRead(CONSENT, GAPS)[1]).toBe(
    'The code: up to 3 years after your last visit. The photo: until 31 December 2026.',
  );
  setVenueZone('UTC');
  expect(consentAsRead({ ...CONSENT, language: 'de', text: ['bis {date}'] }, GAPS)).toEqual([
    'bis 30. Dezember 2026',
  ]);
});

test('the text of an event names the days after it', () => {
  const text = ['Up to {duration} after the event.'];
  expect(consentAsRead({ ...CONSENT, text, retention_days: null, faces_days: 2 }, GAPS)).toEqual([
    'Up to 2 days after the event.',
  ]);
});

test('what was not recorded is named in brackets', () => {
  expect(consentAsRead({ ...CONSENT, retention_days: null, photo_until: null }, GAPS)).toEqual([
    '[organiser] asks.',
    'The code: up to [period] after your last visit. The photo: until [date].',
  ]);
});

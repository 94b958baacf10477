import { expect, test } from 'vitest';
import { setVenueZone } from '../shared/time/time.ts';
import { newDraft, takeValue, toChange, toRequest, withWords } from './event-form.ts';

const NOW = Date.UTC(2030, 4, 15, 17, 20);

test('a new event begins at the next full hour and lasts an evening', () => {
  const request = toRequest({ ...newDraft(NOW), name: ' Gala ' });
  expect(request).toMatchObject({
    name: 'Gala',
    starts_at: '2030-05-15T18:00:00.000Z',
    ends_at: '2030-05-16T02:00:00.000Z',
    limit: { kind: 'total', max: 1 },
    languages: ['en', 'es', 'fr', 'de'],
  });
  expect(request).not.toHaveProperty('group');
});

test('nothing is sent without a name, a language, or an end after the start', () => {
  const draft = { ...newDraft(NOW), name: 'Gala' };
  expect(toRequest({ ...draft, name: '  ' })).toBeNull();
  expect(toRequest({ ...draft, languages: [] })).toBeNull();
  expect(toRequest({ ...draft, ends: draft.starts })).toBeNull();
  expect(toRequest({ ...draft, starts: '' })).toBeNull();
});

test('languages are sent in their usual order', () => {
  const request = toRequest({ ...newDraft(NOW), name: 'Gala', languages: ['de', 'en'] });
  expect(request?.languages).toEqual(['en', 'de']);
});

test('texts of one language leave the others', () => {
  const words = withWords({ de: { welcome: 'Hallo' } }, 'en', 'welcome', 'Hello');
  expect(words).toEqual({ de: { welcome: 'Hallo' }, en: { welcome: 'Hello' } });
});

test('only what was changed in the form is sent', () => {
  const opened = { ...newDraft(NOW), name: 'Gala', colour: '#085052' };
  expect(toChange(opened, opened)).toEqual({});
  expect(toChange(opened, { ...opened, name: 'Ball', colour: null })).toEqual({
    name: 'Ball',
    colour: null,
  });
  expect(toChange(opened, { ...opened, name: '' })).toBeNull();
});

test('values of the wire that somebody else has set are put into the form', () => {
  setVenueZone('Europe/Berlin');
  const draft = { ...newDraft(NOW), words: { en: { welcome: 'Hello' } } };
  const taken = [
    takeValue('ends_at', '2026-11-22T01:00:00.000Z', draft),
    takeValue('verification_id', 'v-2', draft),
    takeValue('limit.max', 3, draft),
    takeValue('words.de.welcome', 'Hallo', draft),
    takeValue('words.en.welcome', null, draft),
  ];
  expect(taken).toEqual([
    { ends: '2026-11-22T02:00' },
    { verificationId: 'v-2' },
    { limit: { kind: 'total', max: 3 } },
    { words: { en: { welcome: 'Hello' }, de: { welcome: 'Hallo' } } },
    { words: { en: {} } },
  ]);
});

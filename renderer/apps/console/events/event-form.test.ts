import { expect, test } from 'vitest';
import { newDraft, toChange, toRequest, withWords } from './event-form.ts';

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
  expect(toChange(opened, opened, {})).toEqual({});
  expect(toChange(opened, { ...opened, name: 'Ball', colour: null }, {})).toEqual({
    name: 'Ball',
    colour: null,
  });
  expect(toChange(opened, { ...opened, name: '' }, {})).toBeNull();
});

test('a changed text keeps those that somebody else wrote in another language', () => {
  const opened = { ...newDraft(NOW), name: 'Gala', words: { en: { welcome: 'Hello' } } };
  const words = withWords(opened.words, 'de', 'welcome', 'Hallo');
  const sinceThen = { en: { welcome: 'Good evening' }, fr: { welcome: 'Bonsoir' } };
  expect(toChange(opened, { ...opened, words }, sinceThen)?.words).toEqual({
    ...sinceThen,
    de: { welcome: 'Hallo' },
  });
});

import { expect, test } from 'vitest';
import { readCatalogue } from '../../locales/compile.ts';
import { backTranslationProblems, problemsOf, undescribedIn, unusedIn } from './check.ts';
import { typesOf } from './types.ts';

const translated = (english: string, french: string) =>
  problemsOf('runs', { en: new Map([['rows', english]]), fr: new Map([['rows', french]]) });

test('a translation with every form and argument has no problem', () => {
  const french = '{count, plural, one {# ligne} many {# de lignes} other {# lignes}}';
  expect(translated('{count, plural, one {# row} other {# rows}}', french)).toEqual([]);
});

test('a plural form that CLDR requires is missing', () => {
  const french = '{count, plural, one {# ligne} other {# lignes}}';
  expect(translated('{count, plural, one {# row} other {# rows}}', french)).toEqual([
    'fr/runs.json, rows: no plural form “many”.',
  ]);
});

test('a different argument than in English, an empty message and an invalid one are reported', () => {
  expect(translated('{name} left', '{nom} est parti')[0]).toContain('arguments (nom) differ');
  expect(translated('Left', ' ')[0]).toContain('empty');
  expect(translated('Left', '{count, plural')[0]).toContain('does not parse');
});

test('a message that is missing, or that English lacks, is reported', () => {
  const en = new Map([['a', 'A']]);
  expect(problemsOf('runs', { en, de: new Map([['b', 'B']]) })).toEqual([
    'de/runs.json, a: missing.',
    'de/runs.json, b: not in English.',
  ]);
});

test('a message that no source refers to, directly or by a composed name, is unused', () => {
  const messages = new Map([
    ['menu.open', 'Open'],
    ['menu.openTitle', 'Open it'],
    ['menu.gone', 'Gone'],
  ]);
  const named = { words: new Set(['menu', 'open']), endings: new Set(['Title']) };
  expect(unusedIn(messages, named)).toEqual(['menu.gone']);
});

test('each English message has a description, and each description a message', () => {
  const file = (text: string) => readCatalogue(`{ "roll": "Roll"${text} }`);
  expect(undescribedIn(file(', "@roll": { "description": "Button" }'))).toEqual([]);
  expect(undescribedIn(file(', "@roll": { "description": " " }'))).toEqual(['roll']);
  expect(undescribedIn(file(', "@revoke": { "description": "Button" }'))).toEqual(['roll', 'revoke']);
});

test('the type of a catalogue names each message and its arguments', () => {
  const english =
    '{ "roll.title": "Roll {keys}", "rows": "{count, plural, one {# row} other {# rows}}", "ok": "OK" }';
  const types = typesOf('keys', english);
  expect(types).toContain('title: (values: { keys: string | number }) => string;');
  expect(types).toContain('rows: (values: { count: number }) => string;');
  expect(types).toContain('ok: string;');
});

test('each guest-facing translation has a back-translation of its current text', () => {
  const messages = new Map([
    ['result.title', 'Geschafft'],
    ['menu.title', 'Menü'],
  ]);
  const problems = (notes: Parameters<typeof backTranslationProblems>[2]) =>
    backTranslationProblems('de/back/kiosk.json', messages, notes, (key) => !key.startsWith('menu.'));
  expect(problems({ 'result.title': { text: 'Geschafft', back: 'Done' } })).toEqual([]);
  expect(problems({})).toEqual(['de/back/kiosk.json, result.title: no back-translation of “Geschafft”.']);
  expect(problems({ 'result.title': { text: 'Fertig', back: 'Done' } })).toHaveLength(1);
  expect(problems({ 'result.title': { text: 'Geschafft', back: ' ' } })).toHaveLength(1);
  const extra = { 'result.title': { text: 'Geschafft', back: 'Done' }, gone: { text: 'Weg', back: 'Gone' } };
  expect(problems(extra)).toEqual(['de/back/kiosk.json, gone: no such message.']);
});

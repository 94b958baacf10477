import { expect, test } from 'vitest';
import { readCatalogue } from '../../locales/compile.ts';
import { messagesIn, problemsOf, undescribedIn, unusedIn } from './check.ts';
import { catalogueNames, readText } from './files.ts';
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

test('French punctuation that could begin a line is reported', () => {
  expect(translated('Left?', 'Parti ?')).toEqual([
    'fr/runs.json, rows: French punctuation after a space where the line may break.',
  ]);
  expect(translated('Left?', 'Parti\u00a0?')).toEqual([]);
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

/** Entries that name an outcome, a reason, a role, a state or something else that several pages show. */
const NAMES_SOMETHING =
  /^(?:names|reasons|devices|captures|counts|roles|states|statuses|connection|found|kiosks\.(?:states|screens|cameras)|underWay\.steps)\.|^result\.\w+\.title$/;
/** The same word for different things. */
const DIFFERENT_THINGS: Readonly<Record<string, readonly string[]>> = {
  Active: ['keys:states.active', 'operators:states.active'],
  Declined: ['outcomes:names.declined', 'outcomes:reasons.declined'],
  Expired: ['keys:states.ended', 'outcomes:names.expired'],
};

test('each outcome, reason, role and state has one entry, which every page uses', () => {
  const entries = new Map<string, string[]>();
  for (const name of catalogueNames()) {
    for (const [key, text] of messagesIn(readText('en', name))) {
      if (NAMES_SOMETHING.test(key)) entries.set(text, [...(entries.get(text) ?? []), `${name}:${key}`]);
    }
  }
  expect(entries.size).toBeGreaterThan(100);
  expect(Object.fromEntries([...entries].filter(([, keys]) => keys.length > 1))).toEqual(DIFFERENT_THINGS);
});

test('guests read “photo”, and staff “picture”, except for a photo taken at the camera and the kept photo of a guest', () => {
  const textsOf = (names: readonly string[]) =>
    names.flatMap((name) =>
      [...messagesIn(readText('en', name))].map(([key, text]) => ({ entry: `${name}:${key}`, text })),
    );
  const isGuests = ({ entry }: { entry: string }) =>
    /^(?:hosted|event-consent|my|sdk|recording):/.test(entry);
  const all = textsOf(catalogueNames());
  const toGuests = all
    .filter(isGuests)
    // For an attack, a picture is held up to the camera.
    .filter(({ entry }) => entry !== 'recording:consent.kept')
    .filter(({ text }) => /\bpictures?\b/i.test(text));
  const toStaff = all
    .filter((text) => !isGuests(text))
    // A guest's kept photo has the name that the consent text gives it.
    .filter(({ entry }) => !/:.*photo/i.test(entry))
    .filter(({ text }) =>
      /\bphotos?\b/i.test(
        text.replaceAll(
          /\bphotos? or (?:a )?screens?|photo, (?:a )?screen|(?:flat|on a) photo|photos or screens/gi,
          '',
        ),
      ),
    );
  expect([...toGuests, ...toStaff].map(({ entry }) => entry)).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { hasUnseen, lookAlikeOf, skeletonOf, tidyName } from './names.ts';

describe('what nobody can see', () => {
  it.each([
    'Ada\u200b',
    '\u202eadA',
    'A\u2066d\u2069a',
    'Ad\u00ada',
    'Ada\u0000',
    'A\u001b[31mda',
    'Ada\u0007',
    'Ada\u009b',
    'Ada\u3164',
    'Ada\u115f',
    'Ada\ufeff',
    'Ada\u{e0041}',
    'Ada\ufe0f',
    'Ad\u200da',
    'Аd\u200cа',
    '1\u200d2',
    '\u200dAda',
    'Ada\u200d',
    'Ada\ue000',
    'Ada\ud800',
    'A\u2028b',
  ])('%j is refused', (name) => {
    expect(hasUnseen(name)).toBe(true);
  });

  it.each([
    'Zoë',
    'José María',
    'Łódź',
    'محمد رضا',
    'می\u200cخواهم',
    'क्\u200dष',
    'श्री\u200cमान्',
    'ශ්\u200dරී',
    '東京',
    'עִבְרִית',
    'ไทย',
    'Club 🎉',
    '👩\u200d🚀',
    '❤\ufe0f',
    '👩🏽\u200d🚀',
    "O'Neill-Smith",
    'Gate 1',
  ])('%j is not', (name) => {
    expect(hasUnseen(name)).toBe(false);
  });
});

describe('a look-alike', () => {
  it.each([
    ['Cyrillic letters', 'Ada', 'Аdа'],
    ['Greek capitals', 'BAR', 'ΒΑR'],
    ['full-width letters', 'Bar', 'Ｂａｒ'],
    ['mathematical letters', 'Bar', '𝐁𝐚𝐫'],
    ['another case', 'Main hall', 'main Hall'],
    ['a decomposed accent', 'José', 'Jose\u0301'],
    ['a ligature', 'office', 'oﬃce'],
    ['another dash', 'A-B', 'A–B'],
    ['a wide space', 'Main hall', 'Main\u3000hall'],
    ['0 in a word', 'Gold', 'G0ld'],
    ['1 in a word', 'Alice', 'A1ice'],
    ['I in a word', 'Alice', 'AIice'],
    ['dotless i', 'Bingo', 'Bıngo'],
  ])('is found: %s', (_title, name, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(name));
    if (tidyName(other) !== name) expect(lookAlikeOf(tidyName(other), ['x', name])).toBe(name);
  });

  it.each([
    ['Gate 1', 'Gate I'],
    ['Gate I', 'Gate L'],
    ['Gate 0', 'Gate O'],
    ['Kiosk 1', 'Kiosk 11'],
    ['José', 'Jose'],
    ['Müller', 'Muller'],
    ['Straße', 'Strasse'],
    ['Вход', 'Выход'],
    ['محمد', 'محمود'],
    ['2026', '2027'],
    ['Bern', 'Bem'],
  ])('%s is not %s', (name, other) => {
    expect(lookAlikeOf(name, [other])).toBeUndefined();
  });

  it('the very same name does not count: an event may return each year', () => {
    expect(lookAlikeOf('Spring fair', ['Spring fair'])).toBeUndefined();
  });
});

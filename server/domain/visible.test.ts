import { expect, it } from 'vitest';
import { visibleLine, visibleLines } from './visible.ts';

it.each([
  ['a colour', '\u001b[31mred', '\\u001b[31mred'],
  ['a window title', '\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['an 8-bit sequence', '\u009b2J', '\\u009b2J'],
  ['a backspace', 'ad\u0008\u0008root', 'ad\\u0008\\u0008root'],
  ['a carriage return', 'safe\rfake', 'safe\\rfake'],
  ['NUL and DEL', '\u0000\u007f', '\\u0000\\u007f'],
  ['an override of the direction', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['isolates', '\u2066x\u2069', '\\u2066x\\u2069'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['zero-width characters', '\u200badmin\ufeff', '\\u200badmin\\ufeff'],
  ['half a character', '\ud800', '\\ud800'],
])('%s reaches no terminal', (_title, text, shown) => {
  expect(visibleLine(text)).toBe(shown);
  expect(visibleLines(text)).toBe(shown);
});

it('a name cannot add a line; a message may have several', () => {
  expect(visibleLine('Ada\nrole: admin')).toBe('Ada\\nrole: admin');
  expect(visibleLines('one\n\ttwo')).toBe('one\n\ttwo');
});

it.each(['Zoë', 'محمد رضا', 'می\u200cخواهم', 'क्\u200dष', '東京', '👩\u200d🚀', '🎟'])(
  '%s stays as it is',
  (text) => {
    expect(visibleLine(text)).toBe(text);
  },
);

it('JSON stays JSON', () => {
  const value = { name: '\u009b\u202e"\\\u001b' };
  expect(JSON.parse(visibleLine(JSON.stringify(value)))).toEqual(value);
});

import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it('cells with commas, quotes and line ends are quoted', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 7])).toBe('"a,b","say ""hi""","two\nlines",7\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('%s is plain text to a spreadsheet', (cell) => {
  expect(csvLine([cell])).toBe(`'${cell}\r\n`);
});

it.each([' =1+1', '\t+1', '\n-1', '\r\n@A1', '\u00a0=1', '\ufeff=1', '\u0000=1', '＝1'])(
  'white space or a control character before a formula does not hide it: %j',
  (cell) => {
    expect(csvLine([cell]).replace(/^"/, '')).toMatch(/^'/);
  },
);

it('other text keeps its leading space', () => {
  expect(csvLine([' Main stage', 'a-b', 'x@y.example'])).toBe(' Main stage,a-b,x@y.example\r\n');
});

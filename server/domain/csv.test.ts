import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it('cells with commas, quotes and line ends are quoted', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 7])).toBe('"a,b","say ""hi""","two\nlines",7\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('%s is text to a spreadsheet', (cell) => {
  expect(csvLine([cell])).toBe(`'${cell}\r\n`);
});

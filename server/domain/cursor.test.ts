import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor, toPage } from './cursor.ts';

it('a cursor decodes to the keys it was made from', () => {
  expect(decodeCursor(encodeCursor([17, 'Zoë/ä']), ['number', 'string'])).toEqual([17, 'Zoë/ä']);
});

it.each(['', '!!', 'bm90IGpzb24', encodeCursor(['17']), encodeCursor([1, 2])])(
  '%s is not a cursor of one number',
  (text) => {
    expect(decodeCursor(text, ['number'])).toBeNull();
  },
);

it.each(['[1.5]', '[1e999]', '[9007199254740993]'])('%s is not a cursor of a place in a list', (keys) => {
  expect(decodeCursor(btoa(keys), ['number'])).toBeNull();
});

it('a page has a next one only if an extra row was read', () => {
  const page = (rows: number[]) => toPage(rows, 2, (row) => [row], String);
  expect(page([3, 2])).toEqual({ items: ['3', '2'], next_cursor: null });
  expect(page([3, 2, 1])).toEqual({ items: ['3', '2'], next_cursor: encodeCursor([2]) });
  expect(page([])).toEqual({ items: [], next_cursor: null });
});

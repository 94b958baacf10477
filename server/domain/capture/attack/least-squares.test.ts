import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastSquares } from './least-squares.ts';

test('recovers the coefficients that the data was made from', () => {
  const number = fc.double({ min: -5, max: 5, noNaN: true });
  fc.assert(
    fc.property(fc.tuple(number, number, number), ([a, b, c]) => {
      const rows = Array.from({ length: 12 }, (_, i) => [1, i / 6 - 1, Math.sin(i)]);
      const found = leastSquares(
        rows,
        rows.map(([one = 0, x = 0, y = 0]) => a * one + b * x + c * y),
      );
      [a, b, c].forEach((value, i) => expect(found[i]).toBeCloseTo(value, 6));
    }),
  );
});

test('a redundant column gets 0, and the others still fit', () => {
  const rows = [1, 2, 3, 4].map((x) => [1, x, 2 * x, 0]);
  const found = leastSquares(rows, [3, 5, 7, 9]);
  rows.forEach((row, i) =>
    expect(row.reduce((sum, x, j) => sum + x * (found[j] ?? 0), 0)).toBeCloseTo(3 + 2 * i, 6),
  );
});

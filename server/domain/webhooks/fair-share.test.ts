import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dealSlots } from './fair-share.ts';

const shares = fc.array(fc.record({ wants: fc.nat({ max: 8 }), isFailing: fc.boolean() }), { maxLength: 20 });
const slots = fc.record({ freeSlots: fc.nat({ max: 64 }), failingSlots: fc.nat({ max: 32 }) });
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

it('gives nobody more than they want or than is free, and failing receivers at most half', () => {
  fc.assert(
    fc.property(shares, slots, (table, limits) => {
      const dealt = dealSlots(table, limits);
      dealt.forEach((given, index) => expect(given).toBeLessThanOrEqual(table[index]!.wants));
      expect(sum(dealt)).toBeLessThanOrEqual(limits.freeSlots);
      expect(sum(dealt.filter((_, index) => table[index]!.isFailing))).toBeLessThanOrEqual(
        limits.failingSlots,
      );
    }),
  );
});

it('leaves no slot free that a working receiver could use', () => {
  fc.assert(
    fc.property(shares, slots, (table, limits) => {
      const dealt = dealSlots(table, limits);
      const isStarved = table.some(({ wants, isFailing }, index) => !isFailing && dealt[index]! < wants);
      if (isStarved) expect(sum(dealt)).toBe(limits.freeSlots);
    }),
  );
});

it('only the first receivers in order get one slot more than the others', () => {
  expect(
    dealSlots(
      [9, 9, 1].map((wants) => ({ wants, isFailing: false })),
      { freeSlots: 6, failingSlots: 3 },
    ),
  ).toEqual([3, 2, 1]);
});

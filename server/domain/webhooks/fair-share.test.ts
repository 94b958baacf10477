import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareSlots, SLOTS, SLOTS_PER_DESTINATION, type UnderWay } from './fair-share.ts';

const keys = fc.constantFrom(...Array.from({ length: 40 }, (_, n) => `receiver-${n}`));
const receivers = fc.uniqueArray(
  fc.record({ key: keys, due: fc.nat({ max: 8 }), failingSince: fc.constantFrom(null, 1) }),
  { selector: ({ key }) => key, maxLength: 40 },
);
const running = fc.array(fc.record({ key: keys, isFailing: fc.boolean() }), { maxLength: SLOTS });
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const usedBy = (underWay: readonly UnderWay[], key: string) =>
  underWay.filter((each) => each.key === key).length;

it('gives nobody more than is due, free or theirs, and failing receivers at most half', () => {
  fc.assert(
    fc.property(receivers, running, (waiting, underWay) => {
      const shares = shareSlots(waiting, underWay, new Map());
      for (const { receiver, limit } of shares) {
        const own = receiver.failingSince === null ? SLOTS_PER_DESTINATION : 1;
        expect(limit).toBeLessThanOrEqual(Math.min(receiver.due, own - usedBy(underWay, receiver.key)));
      }
      expect(sum(shares.map(({ limit }) => limit))).toBeLessThanOrEqual(SLOTS - underWay.length);
      const failing = shares.filter(({ receiver }) => receiver.failingSince !== null);
      const used = underWay.filter(({ isFailing }) => isFailing).length;
      expect(sum(failing.map(({ limit }) => limit))).toBeLessThanOrEqual(Math.max(0, SLOTS / 2 - used));
    }),
  );
});

it('leaves no slot free that a working receiver could use', () => {
  fc.assert(
    fc.property(receivers, running, (waiting, underWay) => {
      const shares = shareSlots(waiting, underWay, new Map());
      const limitOf = new Map(shares.map(({ receiver, limit }) => [receiver.key, limit]));
      const isStarved = waiting.some(({ key, due, failingSince }) => {
        const wants = Math.min(due, SLOTS_PER_DESTINATION - usedBy(underWay, key));
        return failingSince === null && (limitOf.get(key) ?? 0) < wants;
      });
      if (isStarved) expect(sum([...limitOf.values()])).toBe(SLOTS - underWay.length);
    }),
  );
});

it('deals round after round, beginning with who was served longest ago', () => {
  const waiting = ['a', 'b', 'c'].map((key) => ({ key, due: 9, failingSince: null }));
  const others = Array.from({ length: SLOTS - 4 }, () => ({ key: 'other', isFailing: false }));
  const servedAt = new Map([
    ['a', 3],
    ['b', 1],
    ['c', 2],
  ]);
  const dealt = shareSlots(waiting, others, servedAt).map(({ receiver, limit }) => [receiver.key, limit]);
  expect(dealt).toEqual([
    ['b', 2],
    ['c', 1],
    ['a', 1],
  ]);
});

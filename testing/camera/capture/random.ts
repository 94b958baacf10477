/** Seeded randomness for captures: the same seed gives the same capture (mulberry32). */
export type Random = {
  /** In [from, to). */
  between(from: number, to: number): number;
  /** Standard normal. */
  normal(): number;
  pick<T>(items: readonly T[], count: number): T[];
};

let unseeded = 0;

/** Without a seed every call gives another sequence. */
export function randomOf(seed = Date.now() + 7919 * ++unseeded): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (from, to) => from + (to - from) * next(),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    /** Different items in a random order. */
    pick: (items, count) => {
      const left = items.map((_, index) => index);
      const chosen = Array.from(
        { length: count },
        () => left.splice(Math.floor(next() * left.length), 1)[0]!,
      );
      return chosen.sort((a, b) => a - b).map((index) => items[index]!);
    },
  };
}

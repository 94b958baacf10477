/** Reproducible randomness, so that demo data is the same on every machine. Never use it for secrets. */
export type Dice = {
  /** In [0, 1). */
  next(): number;
  /** Integer in [0, n). */
  below(n: number): number;
  chance(share: number): boolean;
  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T;
  /** By weight: `[['often', 9], ['rarely', 1]]`. */
  weighted<T>(list: readonly (readonly [T, number])[]): T;
  /** By weight: `{ often: 9, rarely: 1 }`. */
  share<K extends string>(weights: Readonly<Record<K, number>>): K;
};

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const weighted: Dice['weighted'] = (list) => {
    let left = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of list) {
      left -= weight;
      if (left < 0) return value;
    }
    const last = list.at(-1);
    if (!last) throw new RangeError('The list to pick from is empty.');
    return last[0];
  };
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick(list) {
      if (list.length === 0) throw new RangeError('The list to pick from is empty.');
      return list[below(list.length)] as (typeof list)[number];
    },
    weighted,
    share: (weights) => weighted(Object.entries<number>(weights) as [keyof typeof weights, number][]),
  };
}

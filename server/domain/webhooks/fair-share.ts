/** Shares a few slots among many receivers, so that no receiver blocks another. */

type Share = {
  /** Slots that it could use now. */
  wants: number;
  /** Receivers that failed last time share half of all slots, so that they never delay working ones. */
  isFailing: boolean;
};

/**
 * Deals slots one at a time in the given order, round after round. Failing receivers together never get more than
 * `failingSlots`. Returns how many each gets.
 */
export function dealSlots(
  shares: readonly Share[],
  { freeSlots, failingSlots }: { freeSlots: number; failingSlots: number },
): number[] {
  const dealt = shares.map(() => 0);
  let free = freeSlots;
  let freeForFailing = failingSlots;
  for (let isMoving = true; isMoving && free > 0;) {
    isMoving = false;
    for (const [index, share] of shares.entries()) {
      const had = dealt[index] ?? 0;
      if (free <= 0) break;
      if (had >= share.wants || (share.isFailing && freeForFailing <= 0)) continue;
      dealt[index] = had + 1;
      free -= 1;
      if (share.isFailing) freeForFailing -= 1;
      isMoving = true;
    }
  }
  return dealt;
}

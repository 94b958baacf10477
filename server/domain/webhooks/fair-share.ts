/** Shares the attempts that a process makes at once among many receivers, so that no receiver blocks another. */

/** Attempts in progress at once, of one process. */
export const SLOTS = 64;
/** How many of them receivers that failed last time may use together, so that they never delay working ones. */
const FAILING_SLOTS = SLOTS / 2;
export const SLOTS_PER_DESTINATION = 4;
/** A receiver that failed last time gets one call at a time until one succeeds. */
const SLOTS_WHEN_FAILING = 1;

/** A receiver with calls that are due. */
type Waiting = { key: string; due: number; failingSince: number | null };
/** An attempt in progress. */
export type UnderWay = { key: string; isFailing: boolean };

/**
 * How many calls each receiver may send now. Slots are dealt one at a time, round after round; who was served longest ago
 * begins.
 * @param servedAt the turn in which each receiver was last served
 */
export function shareSlots<T extends Waiting>(
  waiting: readonly T[],
  underWay: readonly UnderWay[],
  servedAt: ReadonlyMap<string, number>,
): { receiver: T; limit: number }[] {
  const shares = waiting
    .map((receiver) => {
      const isFailing = receiver.failingSince !== null;
      const slots = isFailing ? SLOTS_WHEN_FAILING : SLOTS_PER_DESTINATION;
      const used = underWay.filter(({ key }) => key === receiver.key).length;
      return { receiver, isFailing, limit: 0, wants: Math.min(receiver.due, slots - used) };
    })
    .toSorted((a, b) => (servedAt.get(a.receiver.key) ?? 0) - (servedAt.get(b.receiver.key) ?? 0));
  let free = SLOTS - underWay.length;
  let freeForFailing = FAILING_SLOTS - underWay.filter(({ isFailing }) => isFailing).length;
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    for (const share of shares) {
      if (free <= 0) break;
      if (share.limit >= share.wants || (share.isFailing && freeForFailing <= 0)) continue;
      share.limit += 1;
      free -= 1;
      if (share.isFailing) freeForFailing -= 1;
      isMoving = true;
    }
  }
  return shares.filter(({ limit }) => limit > 0);
}

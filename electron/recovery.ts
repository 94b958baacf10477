/** What becomes of a window whose page has died or hangs. */

/** One that dies again and again is not helped by another try. */
const MAX_DEATHS = 3;
const WITHIN_MS = 60_000;
/** A page that computes may be slow; after this long it hangs. */
export const HANG_MS = 15_000;

export type Recovery = {
  /** The page's process is gone. */
  died(): 'reload' | 'give-up';
};

export function createRecovery(now: () => number = Date.now): Recovery {
  let deaths: number[] = [];
  return {
    died() {
      deaths = [...deaths.filter((at) => now() - at < WITHIN_MS), now()];
      if (deaths.length <= MAX_DEATHS) return 'reload';
      deaths = [];
      return 'give-up';
    },
  };
}

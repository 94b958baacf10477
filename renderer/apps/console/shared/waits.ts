/** How long someone has been waiting: waits that follow one another, such as for the page and then its data, are one. */

/** Between two waits that are one. */
const GAP_MS = 100;

/** @param startedAt when the first wait began, on the clock of `now` */
export function createWaits(startedAt: number, now: () => number) {
  let since = startedAt;
  let lastAt: number | null = null;
  const touch = (): void => {
    const at = now();
    if (lastAt !== null && at - lastAt > GAP_MS) since = at;
    lastAt = at;
  };
  return {
    /** @returns milliseconds since the wait began that this one continues, or begins */
    begin(): number {
      touch();
      return now() - since;
    },
    /** Also while it lasts: the next one continues it. */
    end(): void {
      lastAt = now();
    },
  };
}

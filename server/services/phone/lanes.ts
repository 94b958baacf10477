/** Work from a queue in the database, so many pieces at the same time. */

export type Lanes = {
  /** Looks for work, unless all lanes are taken: then the first to get free does. */
  wake(): void;
  /** Takes nothing new; resolves when what was taken is done. */
  close(): Promise<void>;
};

/**
 * @param next claims the next piece; undefined where there is none
 * @param work done with each piece; what it throws goes to `onError`
 */
export function createLanes<T>({
  lanes,
  next,
  work,
  onError,
}: {
  lanes: number;
  next: () => Promise<T | undefined>;
  work: (piece: T) => Promise<void>;
  onError: (error: unknown) => void;
}): Lanes {
  const underWay = new Set<Promise<void>>();
  let polling: Promise<void> | null = null;
  let wokenAgain = false;
  let isClosed = false;

  async function poll(): Promise<void> {
    while (underWay.size < lanes) {
      const piece = await next();
      if (piece === undefined) return;
      const doing: Promise<void> = work(piece)
        .catch(onError)
        .finally(() => {
          underWay.delete(doing);
          wake();
        });
      underWay.add(doing);
    }
  }

  function wake(): void {
    if (isClosed) return;
    if (polling) {
      wokenAgain = true;
      return;
    }
    polling = poll()
      .catch(onError)
      .finally(() => {
        polling = null;
        if (!wokenAgain) return;
        wokenAgain = false;
        wake();
      });
  }

  return {
    wake,
    async close() {
      isClosed = true;
      await polling;
      await Promise.all(underWay);
    },
  };
}

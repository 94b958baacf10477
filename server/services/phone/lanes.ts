/** Works off a queue in the database, several items at the same time. */

type Lanes = {
  /** Polls for work, unless all lanes are busy: the first one to become free then does. */
  wake(): void;
  /** Takes no new work; resolves when the current work is done. */
  close(): Promise<void>;
};

/**
 * @param next claims the next item; undefined if there is none
 * @param work called with each item; its errors go to `onError`
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

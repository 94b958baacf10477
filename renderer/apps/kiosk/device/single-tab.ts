/**
 * One tab of a browser is the kiosk. Otherwise every tab would report itself and start the walk-up that staff asked
 * for. The browser frees the lock when the tab that holds it closes or crashes.
 */
const LOCK = 'gatehouse.kiosk';

/** A page that reloads holds its lock a moment longer, so the new one waits before it says that another tab has it. */
const SAY_AFTER_MS = 1_000;

type TabHooks = {
  /** This tab is the kiosk from now on. */
  onHeld: () => void;
  /** Another tab is the kiosk. */
  onElsewhere: () => void;
};

/**
 * @param locks undefined where a browser has none: outside a secure context, where it has no camera either
 * @returns takes the kiosk over from the tab that has it
 */
export function claimTab(locks: LockManager | undefined, { onHeld, onElsewhere }: TabHooks): () => void {
  if (locks === undefined) {
    onHeld();
    return () => undefined;
  }
  /** Null while this tab is the kiosk. */
  let queued: AbortController | null = null;
  const saying = setTimeout(onElsewhere, SAY_AFTER_MS);
  const request = (options: LockOptions): void => {
    let isHeld = false;
    const hold = () => {
      isHeld = true;
      queued = null;
      clearTimeout(saying);
      onHeld();
      return new Promise<never>(() => undefined);
    };
    locks.request(LOCK, options, hold).catch(() => {
      if (options.signal?.aborted) return;
      if (isHeld) {
        queue();
        onElsewhere();
      }
      // A browser that keeps nothing for this site has no other tab of this kiosk.
      else void hold();
    });
  };
  const queue = () => {
    queued = new AbortController();
    request({ signal: queued.signal });
  };
  queue();
  return () => {
    if (queued === null) return;
    queued.abort();
    queued = null;
    request({ steal: true });
  };
}

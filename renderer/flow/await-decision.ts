/** A guest's page asks for the decision of a reviewer: often at first, rarely later, never while nobody sees the page. */

/** Most decisions are made while the guest still looks at the page. */
const EAGER_MS = 2 * 60_000;
const EAGER_PAUSE_MS = 5_000;
const PAUSE_MS = 30_000;
/** A page that is left open asks no longer than this. It asks again once it is hidden and shown. */
const LIMIT_MS = 60 * 60_000;

type Page = Pick<Document, 'visibilityState' | 'addEventListener'>;

/** Calls `ask` now and then, one call at a time, until `signal` aborts. */
export function awaitDecision(ask: () => Promise<void>, signal: AbortSignal, page: Page = document): void {
  if (signal.aborted) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitedMs = 0;
  let asking = false;
  const askOnce = () => {
    if (asking) return;
    asking = true;
    void ask().finally(() => {
      asking = false;
    });
  };
  const wait = () => {
    if (waitedMs >= LIMIT_MS) return;
    const pauseMs = waitedMs < EAGER_MS ? EAGER_PAUSE_MS : PAUSE_MS;
    timer = setTimeout(() => {
      waitedMs += pauseMs;
      askOnce();
      wait();
    }, pauseMs);
  };
  const changed = () => {
    clearTimeout(timer);
    if (page.visibilityState === 'hidden') return;
    waitedMs = 0;
    askOnce();
    wait();
  };
  page.addEventListener('visibilitychange', changed, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
  if (page.visibilityState !== 'hidden') wait();
}

/** A guest's page waits for the decision of a reviewer: it follows the run while somebody sees the page. */

/** Some networks hold a stream back, so the page also looks from time to time. */
const SLOW_LOOK_MS = 30_000;
/** A page that is left open waits no longer than this. It waits again once it is hidden and shown. */
const LIMIT_MS = 60 * 60_000;

type Page = Pick<Document, 'visibilityState' | 'addEventListener'>;
type Run = {
  /** Follows the run until `signal` aborts, or it is refused. */
  follow: (signal: AbortSignal) => Promise<void>;
  look: () => Promise<void>;
};

export function awaitDecision({ follow, look }: Run, signal: AbortSignal, page: Page = document): void {
  if (signal.aborted) return;
  let waiting: AbortController | undefined;
  let looking = false;
  const lookOnce = () => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  };
  const end = () => waiting?.abort();
  const wait = () => {
    end();
    if (page.visibilityState === 'hidden') return;
    const own = (waiting = new AbortController());
    const timer = setInterval(lookOnce, SLOW_LOOK_MS);
    const limit = setTimeout(end, LIMIT_MS);
    own.signal.addEventListener('abort', () => {
      clearInterval(timer);
      clearTimeout(limit);
    });
    void follow(own.signal);
  };
  page.addEventListener('visibilitychange', wait, { signal });
  signal.addEventListener('abort', end);
  wait();
}

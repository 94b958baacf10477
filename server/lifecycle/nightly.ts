import type { Clock } from '../services/clock.ts';

const DAY_MS = 86_400_000;
/** A quiet hour for most venues, in UTC like all days of the service. */
const HOUR_MS = 3 * 3_600_000;
/** Frequent checks, unlike one long timer, survive a sleeping machine and a changed clock. */
const POLL_MS = 60_000;
/** A full disk is not freed within a minute. */
const RETRY_MS = 15 * 60_000;

/**
 * Runs `work` once a night, and at the start for what fell into time off. Returns the way to stop.
 * A night counts as done only where this process did the work, so that another leader makes up for it.
 * A failure is reported and tried again after a while; what the end of the service cuts off is none: the next start does it.
 */
export function everyNight(
  clock: Clock,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  mayRun: () => boolean = () => true,
): () => void {
  let doneNight = -1;
  let running = false;
  let stopped = false;
  let notBefore = 0;
  const poll = () => {
    const night = Math.floor((clock.now() - HOUR_MS) / DAY_MS);
    const waitMs = notBefore - clock.now();
    // A wait that is longer was measured on a clock that has been corrected since.
    if (!mayRun() || running || night === doneNight || (waitMs > 0 && waitMs <= RETRY_MS)) return;
    running = true;
    work()
      .then(
        () => {
          doneNight = night;
        },
        (error: unknown) => {
          notBefore = clock.now() + RETRY_MS;
          if (!stopped) onError(error);
        },
      )
      .finally(() => {
        running = false;
      });
  };
  poll();
  const timer = setInterval(poll, POLL_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

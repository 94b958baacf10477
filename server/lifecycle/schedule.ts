import type { Clock } from '../services/ports/clock.ts';
import { repeat, type Turns } from '../services/ports/turns.ts';

const DAY_MS = 86_400_000;
/** A quiet hour for most venues, in UTC like all days of the service. */
const HOUR_MS = 3 * 3_600_000;
/** Frequent checks, unlike one long timer, survive a sleeping machine and a changed clock. */
const POLL_MS = 60_000;
/** A full disk is not freed within a minute. */
const RETRY_MS = 15 * 60_000;

/**
 * Runs `work` once a night, and at start-up to catch up after time off. A night
 * counts as done only if this process did the work, so that another leader catches up. A failure is reported and
 * retried after a while. An interruption by the end of the service is not a failure, because the next start catches
 * up.
 */
export function everyNight(
  clock: Clock,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  mayRun: () => boolean = () => true,
): Turns {
  let doneNight = -1;
  let notBefore = 0;
  const look = async () => {
    const night = Math.floor((clock.now() - HOUR_MS) / DAY_MS);
    const waitMs = notBefore - clock.now();
    // A longer wait was measured by a clock that has been corrected since.
    if (!mayRun() || night === doneNight || (waitMs > 0 && waitMs <= RETRY_MS)) return;
    try {
      await work();
      doneNight = night;
    } catch (error) {
      notBefore = clock.now() + RETRY_MS;
      throw error;
    }
  };
  return repeat(POLL_MS, look, onError);
}

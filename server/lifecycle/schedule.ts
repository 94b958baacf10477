import type { Clock } from '../services/ports/clock.ts';
import { SLOW_LOOK_MS } from '../store/sql/followers.ts';
import type { Database, Topic } from '../store/sql/port.ts';

/** A timer may end a moment before the clock shows its time. */
const SHORTEST_MS = 10;

/** Work that repeats while the service runs, one turn at a time. */
export type Repeating = {
  /** Begins no further turn. A failure of the current one is not reported: the end of the service may have caused it. */
  stop: () => void;
  /** Stops, and resolves after the current turn. */
  close: () => Promise<void>;
};

/** Runs `work` now and every `intervalMs`. A failure is reported, and the next turn tries again. */
export function repeat(
  intervalMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Repeating {
  const begin = (turn: () => void) => {
    const timer = setInterval(turn, intervalMs).unref();
    return () => clearInterval(timer);
  };
  return inTurns(begin, () => work().then(() => undefined), onError);
}

/**
 * Runs `work` now, whenever the topic is announced, and at the slow look, with a subject only for that.
 * @param work returns in how many milliseconds something falls due; undefined if nothing does
 */
export function whenTold(
  db: Pick<Database, 'follow'>,
  { topic, subject }: { topic: Topic; subject?: string },
  work: () => Promise<number | undefined>,
  onError: (error: unknown) => void,
): Repeating {
  return inTurns((turn) => db.follow(topic, turn, subject), work, onError);
}

function inTurns(
  begin: (turn: () => void) => () => void,
  work: () => Promise<number | undefined>,
  onError: (error: unknown) => void,
): Repeating {
  let running: Promise<void> | null = null;
  let isDue = false;
  let stopped = false;
  const isStopped = () => stopped;
  let falling: NodeJS.Timeout | undefined;
  const run = async () => {
    while (isDue && !isStopped()) {
      isDue = false;
      clearTimeout(falling);
      try {
        const dueInMs = await work();
        // The slow look arms it for later times.
        if (dueInMs !== undefined && dueInMs <= SLOW_LOOK_MS && !isStopped())
          falling = setTimeout(turn, Math.max(dueInMs, SHORTEST_MS)).unref();
      } catch (error) {
        if (!isStopped()) onError(error);
      }
    }
    running = null;
  };
  const turn = () => {
    isDue = true;
    running ??= run();
  };
  turn();
  const end = begin(turn);
  const stop = () => {
    stopped = true;
    end();
    clearTimeout(falling);
  };
  return {
    stop,
    async close() {
      stop();
      await running;
    },
  };
}

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
): Repeating {
  let doneNight = -1;
  let running: Promise<void> | null = null;
  let stopped = false;
  let notBefore = 0;
  const poll = () => {
    const night = Math.floor((clock.now() - HOUR_MS) / DAY_MS);
    const waitMs = notBefore - clock.now();
    // A longer wait was measured by a clock that has been corrected since.
    if (!mayRun() || running !== null || night === doneNight || (waitMs > 0 && waitMs <= RETRY_MS)) return;
    running = work()
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
        running = null;
      });
  };
  poll();
  const timer = setInterval(poll, POLL_MS);
  timer.unref();
  const stop = () => {
    stopped = true;
    clearInterval(timer);
  };
  return {
    stop,
    async close() {
      stop();
      await running;
    },
  };
}

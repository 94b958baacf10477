/** Work that repeats while the service runs, one turn at a time. */
import { SLOW_LOOK_MS } from '../../store/sql/followers.ts';
import type { Database, Topic } from '../../store/sql/port.ts';

/** A timer may end a moment before the clock shows its time. */
const SHORTEST_MS = 10;

export type Turns = {
  /** Begins a turn, or another one after the current. */
  next: () => void;
  /** Resolves when no turn is in progress or due. */
  idle: () => Promise<void>;
  /** Begins no further turn. A failure of the current one is not reported: the end of the service may have caused it. */
  stop: () => void;
  /** Stops, and resolves after the current turn. */
  close: () => Promise<void>;
};

/**
 * @param work returns in how many milliseconds something falls due; undefined if nothing does before the slow look
 * @param begin has `next` called from then on, until the returned function is called; the first turn begins at once
 */
export function inTurns(
  work: () => Promise<number | undefined>,
  onError: (error: unknown) => void,
  begin?: (next: () => void) => () => void,
): Turns {
  let running: Promise<void> | null = null;
  let isDue = false;
  let isStopped = false;
  let falling: NodeJS.Timeout | undefined;
  const mayRun = () => isDue && !isStopped;
  const run = async () => {
    while (mayRun()) {
      isDue = false;
      clearTimeout(falling);
      try {
        const dueInMs = await work();
        // The slow look arms it for later times.
        if (dueInMs !== undefined && dueInMs <= SLOW_LOOK_MS && !isStopped)
          falling = setTimeout(next, Math.max(dueInMs, SHORTEST_MS)).unref();
      } catch (error) {
        if (!isStopped) onError(error);
      }
    }
    running = null;
  };
  const next = () => {
    isDue = true;
    running ??= run();
  };
  const idle = async () => {
    await running;
  };
  if (begin) next();
  const end = begin?.(next);
  const stop = () => {
    isStopped = true;
    end?.();
    clearTimeout(falling);
  };
  return {
    next,
    idle,
    stop,
    close() {
      stop();
      return idle();
    },
  };
}

/** Runs `work` now, whenever the topic is announced, and at the slow look, with a subject only for that. */
export const onAnnouncement = (
  db: Pick<Database, 'follow'>,
  { topic, subject }: { topic: Topic; subject?: string },
  work: () => Promise<number | undefined>,
  onError: (error: unknown) => void,
): Turns => inTurns(work, onError, (next) => db.follow(topic, next, subject));

/** Runs `work` now and every `intervalMs`. A failure is reported, and the next turn tries again. */
export const repeat = (
  intervalMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Turns =>
  inTurns(
    () => work().then(() => undefined),
    onError,
    (next) => {
      const timer = setInterval(next, intervalMs).unref();
      return () => clearInterval(timer);
    },
  );

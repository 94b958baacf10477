/**
 * What the app does about an error that nothing caught. Electron's own answer is a dialog over whatever is shown, a
 * held kiosk included.
 */

/** Errors within this time that the app lives with: one listener failed, the rest of the app is as it was. */
const MOST_FAULTS = 5;
const WITHIN_MS = 60_000;
/** Restarts within this time; after them, the app stays as it is and only logs. */
const MOST_RESTARTS = 3;
const RESTARTS_WITHIN_MS = 600_000;
/** Lines about faults in one minute; a fault that repeats must not fill the log. */
const MOST_LINES = 20;

const RESTARTED = '--restarted-at=';

export type FaultAnswer = { isLogged: boolean; act: 'stay' | 'restart' };

/**
 * @param restartedAtMs earlier restarts, from `restartsIn`
 * @returns what to do about one more fault
 */
export function createFaultRule(
  restartedAtMs: readonly number[],
  now: () => number = Date.now,
): () => FaultAnswer {
  let faults: number[] = [];
  let isRestarting = false;
  return () => {
    faults = [...faults.filter((at) => now() - at < WITHIN_MS), now()].slice(-MOST_LINES - 1);
    const isLogged = faults.length <= MOST_LINES;
    if (faults.length <= MOST_FAULTS || isRestarting) return { isLogged, act: 'stay' };
    const recent = restartedAtMs.filter((at) => now() - at < RESTARTS_WITHIN_MS);
    if (recent.length >= MOST_RESTARTS) return { isLogged, act: 'stay' };
    isRestarting = true;
    return { isLogged, act: 'restart' };
  };
}

/** The times of earlier restarts, as the app gives them to itself. */
export function restartsIn(argv: readonly string[]): number[] {
  const given = argv.find((word) => word.startsWith(RESTARTED))?.slice(RESTARTED.length) ?? '';
  return given
    .split(',')
    .map(Number)
    .filter((at) => Number.isSafeInteger(at) && at > 0)
    .slice(-MOST_RESTARTS);
}

/** The arguments of the next start: those of this one without their own history, and what it is to show. */
export function restartArguments(
  argv: readonly string[],
  { shown, nowMs }: { shown: readonly string[]; nowMs: number },
): string[] {
  const kept = argv.filter((word) => !word.startsWith(RESTARTED) && !word.startsWith('--kiosk'));
  const times = [...restartsIn(argv), nowMs].slice(-MOST_RESTARTS);
  return [...kept, ...shown, `${RESTARTED}${times.join(',')}`];
}

/** One line without secrets: the stack names files of the app, never values. */
export const faultLine = (kind: string, error: unknown): string =>
  `${kind}: ${(error instanceof Error ? (error.stack ?? error.message) : String(error)).replaceAll('\n', ' | ')}`;

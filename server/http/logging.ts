import { type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';
import { visibleLine } from '../domain/visible.ts';

/** Parts of a request that are never logged. */
const REDACTED = [
  'req.headers.authorization',
  'req.headers["api-key"]',
  'req.headers["x-flow-token"]',
  'req.headers["x-my-token"]',
  'req.headers["x-kiosk-token"]',
  'req.headers["x-shift-token"]',
  'req.headers["x-csrf-token"]',
  'req.headers.cookie',
  'req.url',
];

/** Anybody can cause a line, and a failing database makes one of each request. Of one message, more are only counted. */
const LINES_A_WINDOW = 60;
const WINDOW_MS = 60_000;
/** Messages are constants of the code; beyond this many they share a count. */
const MOST_MESSAGES = 500;
/** A stack with its causes is shorter. */
const MAX_LINE_CHARS = 16_384;

/** One JSON line per event, on stderr; stdout is for the command line’s results. */
export function createLogger(
  level: LogLevel,
  stream: Pick<NodeJS.WriteStream, 'write'> = process.stderr,
): Logger {
  const bound = createBound((message, more) =>
    logger.warn({ message, more }, 'and more lines of this message'),
  );
  const logger = pino(
    {
      level,
      base: undefined,
      redact: REDACTED,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(args, method) {
          const [first, second] = args as readonly unknown[];
          const message = typeof first === 'string' ? first : second;
          if (bound(typeof message === 'string' ? message : '')) method.apply(this, args);
        },
      },
    },
    { write: (line) => void stream.write(`${visibleLine(shortened(line.trimEnd()))}\n`) },
  );
  return logger;
}

/** @param say reports how many lines of a message were left out, at the end of its window */
function createBound(say: (message: string, more: number) => void): (message: string) => boolean {
  const counts = new Map<string, number>();
  return (message) => {
    const key = counts.has(message) || counts.size < MOST_MESSAGES ? message : '';
    const count = counts.get(key);
    if (count === undefined) {
      setTimeout(() => {
        const more = (counts.get(key) ?? 0) - LINES_A_WINDOW;
        counts.delete(key);
        if (more > 0) say(key, more);
      }, WINDOW_MS).unref();
    }
    counts.set(key, (count ?? 0) + 1);
    return (count ?? 0) < LINES_A_WINDOW;
  };
}

/** A line that is too long keeps its start, as text, so that it stays JSON. */
function shortened(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const { level, time, msg } = JSON.parse(line) as Record<string, unknown>;
  return JSON.stringify({ level, time, msg, chars: line.length, start: line.slice(0, MAX_LINE_CHARS / 2) });
}

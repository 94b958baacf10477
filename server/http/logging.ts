import { type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';

/** Parts of a request that are never logged. */
const REDACTED = [
  'req.headers.authorization',
  'req.headers["api-key"]',
  'req.headers["x-flow-token"]',
  'req.headers["x-my-token"]',
  'req.headers["x-kiosk-token"]',
  'req.headers["x-csrf-token"]',
  'req.headers.cookie',
  'req.url',
];

/** One JSON line per event, on stderr; stdout is for the command line’s results. */
export function createLogger(level: LogLevel): Logger {
  return pino(
    { level, base: undefined, redact: REDACTED, timestamp: pino.stdTimeFunctions.isoTime },
    process.stderr,
  );
}

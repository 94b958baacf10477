import { type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';

/** Whatever is logged of a request, these never are. */
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

/** One JSON line an event, on stderr: stdout belongs to the command line's answers. */
export function createLogger(level: LogLevel): Logger {
  return pino(
    { level, base: undefined, redact: REDACTED, timestamp: pino.stdTimeFunctions.isoTime },
    process.stderr,
  );
}

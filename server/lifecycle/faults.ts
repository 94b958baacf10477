/** What the service does about an error that nothing caught: Node.js would end it in mid-request. */
import type { Logger } from 'pino';

/** Forgotten promises within this time that the service lives with. Each was one request's or one job's. */
const MOST_REJECTIONS = 5;
const WITHIN_MS = 60_000;

type FaultOptions = {
  log: Pick<Logger, 'error' | 'fatal'>;
  /** Drains the service and ends it; its supervisor starts it again. */
  end: () => void;
  now?: () => number;
};

/**
 * After an exception the state of the process is unknown, so it ends in order. A rejected promise that nobody awaits
 * leaves the rest as it was, but many of them end the service too.
 */
export function handleFaults(
  process: Pick<NodeJS.EventEmitter, 'on'>,
  { log, end, now = Date.now }: FaultOptions,
): void {
  let rejections: number[] = [];
  process.on('uncaughtException', (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error: the service ends, to be started again');
    end();
  });
  process.on('unhandledRejection', (error: unknown) => {
    rejections = [...rejections.filter((at) => now() - at < WITHIN_MS), now()];
    if (rejections.length <= MOST_REJECTIONS) {
      log.error({ err: error }, 'unexpected rejection: the service continues');
      return;
    }
    log.fatal({ err: error }, 'repeated unexpected rejections: the service ends, to be started again');
    end();
  });
}

/** How long work in progress may take at shutdown, so that the server ends within ten seconds. */
import type { Server } from 'node:http';
import type { FaceEngine } from '../face/engine.ts';

/** Captures can be judged until then. A guest whose capture is refused keeps the attempt and sends it again. */
export const CAPTURES_MAY_TAKE_MS = 5_000;
/** Requests, webhook calls, background jobs, backups and codes; unfinished ones are repeated later. */
export const WORK_MAY_TAKE_MS = 8_000;
/** A backup that an admin began; one that takes longer is given up. */
export const BACKUPS_MAY_TAKE_MS = 5_000;
/**
 * `serve` exits forcibly after 10 s, and a thread that ends inside a model's run aborts the whole process. All other parts
 * have stopped by then.
 */
export const ENGINE_MAY_TAKE_MS = 9_000;
/** Time until `serve` exits forcibly, for everything that writes to the database and the database itself. */
export const DATA_MAY_TAKE_MS = 9_500;

/** How often connections are checked for being idle. */
const IDLE_SWEEP_MS = 100;
/**
 * Requests still running after this time are cut off: a phone that lost its network while sending a picture, or a
 * sender that trickles bytes. None of them has been answered yet, and three seconds remain to close the rest.
 */
const REQUESTS_MAY_TAKE_MS = 7_000;

/**
 * Waits for listeners that are closing: they accept no new connections, close each one when it becomes idle, and cut
 * off the rest after `mayTakeMs`. @param closed resolves when all have closed
 */
export async function endConnections(
  servers: readonly Server[],
  closed: Promise<unknown>,
  mayTakeMs = REQUESTS_MAY_TAKE_MS,
): Promise<void> {
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections();
  }, IDLE_SWEEP_MS);
  const late = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, mayTakeMs);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(late);
  }
}

export type EngineEnd = {
  /** Waits for all requests to end. After a while the engine refuses the remaining captures. */
  requests(ended: Promise<unknown>): Promise<void>;
  /** Refuses captures from now on, and resolves when all threads have ended. */
  threads(): Promise<void>;
};

export function createEngineEnd(faces: Pick<FaceEngine, 'close'>): EngineEnd {
  let closing: Promise<void> | undefined;
  const threads = () => (closing ??= faces.close());
  return {
    async requests(ended) {
      const late = setTimeout(() => void threads(), CAPTURES_MAY_TAKE_MS);
      try {
        await ended;
      } finally {
        clearTimeout(late);
      }
    },
    threads,
  };
}

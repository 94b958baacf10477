/** Time limits for work in progress at shutdown, so that the server ends within ten seconds. */
import type { FaceEngine } from '../face/engine.ts';

/** Captures can be judged until then. A guest whose capture is refused keeps the attempt and sends it again. */
export const CAPTURES_MAY_TAKE_MS = 5_000;
/** Requests, webhook calls, background jobs, backups and codes; unfinished ones are repeated later. */
export const WORK_MAY_TAKE_MS = 8_000;
/**
 * The command line cuts off after 10 s, and a thread that is cut off inside a model's run aborts the whole process. All
 * other parts have stopped by then.
 */
export const ENGINE_MAY_TAKE_MS = 9_000;
/** Time until the command line cuts off, for everything that writes to the database and the database itself. */
export const DATA_MAY_TAKE_MS = 9_500;

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

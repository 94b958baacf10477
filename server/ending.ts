/** How the server lets go of what is under way when it stops. */
import type { FaceEngine } from './face/engine.ts';

/** Captures under way may be judged for so long. Whoever is refused then keeps their attempt, and sends it again. */
export const CAPTURES_MAY_TAKE_MS = 5_000;
/**
 * The engine's threads may end their frames until then, from the beginning: the command line cuts off after 10 s, and a
 * thread that is cut off inside a model's run aborts the whole process. Nothing else is left to do by then.
 */
export const ENGINE_MAY_TAKE_MS = 9_000;

export type Ending = {
  /** Waits for the requests' end, and has the engine refuse what is left of them when they take long. */
  requests(ended: Promise<unknown>): Promise<void>;
  /** Waits for the engine's threads, for what is left of their time. @returns whether all of them have ended */
  engine(): Promise<boolean>;
};

/** From the moment that the server is told to stop. */
export function createEnding(faces: Pick<FaceEngine, 'close'>): Ending {
  const startedMs = performance.now();
  let closing: Promise<void> | undefined;
  const closeFaces = () => (closing ??= faces.close());
  return {
    async requests(ended) {
      const late = setTimeout(() => void closeFaces(), CAPTURES_MAY_TAKE_MS);
      try {
        await ended;
      } finally {
        clearTimeout(late);
      }
    },
    async engine() {
      const enough = Promise.withResolvers<boolean>();
      const leftMs = ENGINE_MAY_TAKE_MS - (performance.now() - startedMs);
      const timer = setTimeout(() => enough.resolve(false), leftMs);
      const haveEnded = await Promise.race([closeFaces().then(() => true), enough.promise]);
      clearTimeout(timer);
      return haveEnded;
    },
  };
}

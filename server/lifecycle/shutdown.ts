/** How the server lets go of what is under way when it stops: everything has its time, so that the end comes within ten seconds. */
import type { FaceEngine } from '../face/engine.ts';

/** Captures under way may be judged for so long. Whoever is refused then keeps their attempt, and sends it again. */
export const CAPTURES_MAY_TAKE_MS = 5_000;
/** Until then, from the beginning, for what is begun again another time: a backup by hand, a code on its way to a gateway. */
export const OTHERS_MAY_TAKE_MS = 8_000;
/**
 * The engine's threads may end their frames until then, from the beginning: the command line cuts off after 10 s, and a
 * thread that is cut off inside a model's run aborts the whole process. Nothing else is left to do by then.
 */
export const ENGINE_MAY_TAKE_MS = 9_000;

export type Shutdown = {
  /** Waits for the requests' end, and has the engine refuse what is left of them when they take long. */
  requests(ended: Promise<unknown>): Promise<void>;
  /** Waits for what may be left undone, for what is left of its time. @returns whether it has ended; rejects as it does */
  others(ended: Promise<unknown>): Promise<boolean>;
  /** Waits for the engine's threads, for what is left of their time. @returns whether all of them have ended */
  engine(): Promise<boolean>;
};

/** From the moment that the server is told to stop. */
export function createShutdown(faces: Pick<FaceEngine, 'close'>): Shutdown {
  const startedMs = performance.now();
  let closing: Promise<void> | undefined;
  const closeFaces = () => (closing ??= faces.close());
  const until = async (untilMs: number, work: Promise<unknown>): Promise<boolean> => {
    const enough = Promise.withResolvers<false>();
    const timer = setTimeout(() => enough.resolve(false), untilMs - (performance.now() - startedMs));
    try {
      return await Promise.race([work.then(() => true), enough.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async requests(ended) {
      const late = setTimeout(() => void closeFaces(), CAPTURES_MAY_TAKE_MS);
      try {
        await ended;
      } finally {
        clearTimeout(late);
      }
    },
    others: (ended) => until(OTHERS_MAY_TAKE_MS, ended),
    engine: () => until(ENGINE_MAY_TAKE_MS, closeFaces()),
  };
}

/** Which server of an address is used, and what callers get while none can be reached. */
import { isConnectionLost, isPoolBusy } from './errors.ts';
import { serversOf } from './servers.ts';

/** Until this time after all servers failed, further statements fail at once instead of waiting as well. */
const PAUSE_MS = 500;
/** While one statement tries the servers again, the others still fail at once. */
const ONE_TRIES_MS = 10_000;

export type Reach = {
  /** The address of the server that was last found to accept writes. */
  url: () => string | undefined;
  hasSeveral: boolean;
  /** Tries each server once. @throws the error of the last one */
  onSomeServer: <T>(connect: () => Promise<T>) => Promise<T>;
  /** Rejects as soon as no server can be reached. A connection that comes too late is given back. */
  whileReachable: <T extends { release: () => void }>(connecting: Promise<T>) => Promise<T>;
  /** Nothing is tried any more. */
  giveUp: (error: Error) => void;
};

/**
 * @param address as parsed by `serversOf`
 * @param onDown called when no server could be reached
 */
export function createReach(address: string, onDown: () => void): Reach {
  const servers = serversOf(address);
  let current = 0;
  /** Why no server could be reached, and until when nobody tries again. */
  let down: { error: Error; untilMs: number } | null = null;
  let gaveUp: Error | null = null;
  /** Those who wait for a connection. */
  const waiting = new Set<(error: Error) => void>();

  function setDown(error: Error): void {
    down = { error, untilMs: performance.now() + PAUSE_MS };
    for (const reject of waiting) reject(error);
    onDown();
  }

  return {
    url: () => servers[current]?.url,
    hasSeveral: servers.length > 1,
    async onSomeServer(connect) {
      if (gaveUp !== null) throw gaveUp;
      if (down !== null) {
        if (performance.now() < down.untilMs) throw down.error;
        down.untilMs = performance.now() + ONE_TRIES_MS;
      }
      for (let left = servers.length - 1; ; left -= 1) {
        const tried = current;
        try {
          const connected = await connect();
          down = null;
          return connected;
        } catch (error) {
          if (isPoolBusy(error)) {
            if (down !== null) down.untilMs = 0;
            throw error;
          }
          if (current === tried) current = (current + 1) % servers.length;
          if (left > 0) continue;
          if (isConnectionLost(error)) setDown(error);
          else down = null;
          throw error;
        }
      }
    },
    whileReachable(connecting) {
      return new Promise((resolve, reject) => {
        let isWanted = true;
        const giveUp = (error: Error) => {
          isWanted = false;
          waiting.delete(giveUp);
          reject(error);
        };
        waiting.add(giveUp);
        connecting.then((client) => {
          waiting.delete(giveUp);
          if (isWanted) resolve(client);
          else client.release();
        }, giveUp);
      });
    },
    giveUp(error) {
      setDown(error);
      gaveUp = error;
    },
  };
}

/** How a listener ends: it takes nothing new, lets what is under way finish, and cuts off who never does. */
import type { Server } from 'node:http';

/** How often connections are looked at for having fallen idle. */
const IDLE_SWEEP_MS = 100;
/**
 * A request that still runs then is cut off: a phone that lost its network in the middle of a picture, or somebody who sends
 * a byte now and then. Nobody has been answered, and there are three seconds left to close what was.
 */
const REQUESTS_MAY_TAKE_MS = 7_000;

/**
 * Waits for listeners that have been told to close. Connections that were busy then are closed as they fall idle.
 * @param closed resolves when all of them have closed
 */
export async function drained(
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

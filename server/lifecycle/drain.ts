/** Shutdown of a listener: it stops accepting, lets requests in progress finish, and cuts off the rest. */
import type { Server } from 'node:http';

/** How often connections are checked for being idle. */
const IDLE_SWEEP_MS = 100;
/**
 * Requests still running after this time are cut off: a phone that lost its network while sending a picture, or a
 * sender that trickles bytes. None of them has been answered, and three seconds are left to close the rest.
 */
const REQUESTS_MAY_TAKE_MS = 7_000;

/**
 * Waits for listeners that are closing. Busy connections are closed when they become idle. @param closed resolves when
 * all have closed
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

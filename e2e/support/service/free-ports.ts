import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that systems use for outgoing connections, which could take a port while its server restarts. */
const FIRST_PORT = 20_000;
const END_PORT = 32_000;

/** Parallel test processes draw from different ranges, because a port is free again until its server starts. */
const SLICE_PORTS = 500;
const SLICES = (END_PORT - FIRST_PORT) / SLICE_PORTS;
const firstOfSlice = FIRST_PORT + (process.pid % SLICES) * SLICE_PORTS;
/** Increments, so that a process never draws a port twice in a row. */
let drawn = randomInt(SLICE_PORTS);

/** Unused, distinct loopback ports: each is held until all are found. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = firstOfSlice + (drawn++ % SLICE_PORTS);
    const server = createServer();
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) held.set(port, server);
  }
  for (const server of held.values()) await once(server.close(), 'close');
  return [...held.keys()];
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that systems use for outgoing connections, which could take a port while its server restarts. */
const FIRST_PORT = 20_000;
const END_PORT = 32_000;
const SLICE_PORTS = 500;
const SLICES = (END_PORT - FIRST_PORT) / SLICE_PORTS;

/** Null if another process has it. */
async function hold(port: number): Promise<Server | null> {
  const server = createServer();
  return once(server.listen(port, '127.0.0.1'), 'listening').then(
    () => server,
    () => null,
  );
}

/**
 * Parallel test processes draw from different slices, because a port is free while its server restarts. A process holds
 * the first port of its slice as long as it lives.
 */
async function claimSlice(): Promise<number> {
  for (let tried = 0; tried < SLICES; tried++) {
    const first = FIRST_PORT + ((process.pid + tried) % SLICES) * SLICE_PORTS;
    const claim = await hold(first);
    claim?.unref();
    if (claim) return first;
  }
  throw new Error('Every slice of ports is taken by another test process.');
}

let slice: Promise<number> | undefined;
/** Increments, so that a process never draws a port twice in a row, nor the next one what the last had. */
let drawn = randomInt(SLICE_PORTS);

/** Unused, distinct loopback ports: each is held until all are found. */
export async function freePorts(count: number): Promise<number[]> {
  const first = await (slice ??= claimSlice());
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = first + 1 + (drawn++ % (SLICE_PORTS - 1));
    const server = await hold(port);
    if (server) held.set(port, server);
  }
  for (const server of held.values()) await once(server.close(), 'close');
  return [...held.keys()];
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that systems give to outgoing connections, which could take a port while its server restarts. */
const FIRST_PORT = 20_000;
const END_PORT = 32_000;

/** Unused ports of loopback, all different: each is held until all are found. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = randomInt(FIRST_PORT, END_PORT);
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

/** A wire that can die silently: its connections stay open, and bytes vanish. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type Wire = {
  port: number;
  /** From now on every byte vanishes, in both directions: as if the machine were gone. */
  die: () => void;
  /** Only the present connections die, as when a router forgets them. */
  forget: () => void;
  /** New connections work again. Those that died stay dead. */
  heal: () => void;
  close: () => Promise<void>;
};

/** @param far opens a connection to the other end */
export async function startWire(far: () => Socket): Promise<Wire> {
  let isDead = false;
  const present = new Set<{ isDead: boolean; ends: Socket[] }>();
  const server = createServer((near) => {
    const pair = { isDead, ends: [near] };
    present.add(pair);
    near.on('error', () => undefined);
    near.on('close', () => present.delete(pair));
    // A machine that is gone accepts nothing, but a packet filter in between looks the same from here.
    if (isDead) return void near.on('data', () => undefined);
    const end = far();
    pair.ends.push(end);
    end.on('error', () => undefined);
    const forward = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (!pair.isDead) to.write(bytes);
      });
      from.on('close', () => {
        if (!pair.isDead) to.destroy();
      });
    };
    forward(near, end);
    forward(end, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const forget = () => {
    for (const pair of present) pair.isDead = true;
  };
  return {
    port,
    forget,
    die() {
      isDead = true;
      forget();
    },
    heal() {
      isDead = false;
    },
    async close() {
      for (const { ends } of present) for (const end of ends) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

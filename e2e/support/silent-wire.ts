/** A TCP proxy whose wire can be cut without a word: sockets stay open, and every byte is swallowed. */
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

export type SilentWire = {
  /** The address of `target` through the wire. */
  through: (url: string) => string;
  /** From now on nothing arrives. Connections of before never recover, as after a lost path. */
  cut: () => void;
  restore: () => void;
  stop: () => Promise<void>;
};

/** @param target origin that the wire leads to */
export async function openSilentWire(target: string): Promise<SilentWire> {
  const { hostname, port } = new URL(target);
  let isCut = false;
  const sockets = new Set<Socket>();
  const pairs = new Set<{ isDead: boolean }>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  };
  const server = createServer((near) => {
    keep(near);
    const pair = { isDead: isCut };
    pairs.add(pair);
    near.on('close', () => pairs.delete(pair));
    if (pair.isDead) {
      near.resume();
      return;
    }
    const far = connect(Number(port), hostname);
    keep(far);
    const forward = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (!pair.isDead) to.write(bytes);
      });
      from.on('close', () => {
        if (!pair.isDead) to.destroy();
      });
    };
    forward(near, far);
    forward(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    through: (url) => url.replace(new URL(target).origin, own),
    cut() {
      isCut = true;
      for (const pair of pairs) pair.isDead = true;
    },
    restore: () => (isCut = false),
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

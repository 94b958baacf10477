/** A load balancer that sends each request to the next node, also those of one guest. */
import { Agent, createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type LoadBalancer = {
  readonly url: string;
  /** The nodes that it asks in turn, as origins. */
  serve(nodes: readonly string[]): void;
  /** While true, an answer of 500 or more becomes a cut connection: callers ask again when the database is back. */
  cutFailures(cuts: boolean): void;
  close(): Promise<void>;
};

/** A node that does not accept connections has done nothing, so the next one is asked. Nothing else is repeated. */
const isRefused = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';

export async function startLoadBalancer(): Promise<LoadBalancer> {
  let nodes: URL[] = [];
  let turn = 0;
  let cuts = false;
  const inTurn = () => {
    turn += 1;
    return nodes.map((_, n) => nodes[(turn + n) % nodes.length] as URL);
  };
  // A connection for each request: one that is kept could break just when it is used again.
  const agent = new Agent({ keepAlive: false });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method, url: path, headers } = request;
    for (const { hostname, port } of inTurn()) {
      try {
        const answer = await new Promise<IncomingMessage>((resolve, reject) => {
          const asked = send({ hostname, port, method, path, headers, agent }, resolve);
          asked.on('error', reject).end(body);
        });
        const status = answer.statusCode ?? 0;
        if (cuts && status >= 500) break;
        response.writeHead(status, answer.headers);
        await pipeline(answer, response);
        return;
      } catch (error) {
        if (!isRefused(error)) break;
      }
    }
    response.destroy();
  }

  function tunnel(request: IncomingMessage, socket: Duplex, head: Buffer, left = inTurn()): void {
    const [node, ...others] = left;
    if (node === undefined) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(node.port), node.hostname);
    upstream.once('connect', () => {
      const { method, url, rawHeaders } = request;
      const pairs = rawHeaders.flatMap((name, n) => (n % 2 === 0 ? [`${name}: ${rawHeaders[n + 1]}`] : []));
      upstream.write([`${method} ${url} HTTP/1.1`, ...pairs, '', ''].join('\r\n'));
      upstream.write(head);
      pipeline(upstream, socket, upstream).catch(() => undefined);
    });
    upstream.once('error', (error) => {
      if (isRefused(error)) tunnel(request, socket, head, others);
      else socket.destroy();
    });
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => tunnel(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(origins) {
      nodes = origins.map((origin) => new URL(origin));
    },
    cutFailures(wanted) {
      cuts = wanted;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

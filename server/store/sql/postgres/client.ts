/** Connections to PostgreSQL. Of several servers in the address, the one that accepts writes is used. */
import pg from 'pg';
import { isPoolBusy } from './errors.ts';

/** A server that does not answer within this time is skipped, if there are several. */
const NEXT_SERVER_MS = 3_000;

/** One server of an address. */
type PostgresServer = {
  /** The same address with only this server. */
  url: string;
  /** Name, address or folder of a socket; empty if the driver's own default applies. */
  host: string;
};

/**
 * The servers in an address, in order: `postgres://user@one:5432,two:5433/database`, or the parameters `host=one,two`
 * and `port=5432,5433`. A single port applies to all of them.
 * @returns an empty list if the text is not the address of a PostgreSQL database
 */
export function serversOf(text: string): PostgresServer[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(text);
  if (parts === null) return [];
  const [, before = '', places = '', after = ''] = parts;
  const alone = places.split(',').map((place) => `${before}${place}${after}`);
  if (!alone.every((url) => URL.canParse(url))) return [];
  const { searchParams } = new URL(alone[0] ?? '');
  // The driver prefers parameters to the host before the path, and of several with one name it takes the last.
  const last = (name: string) => searchParams.getAll(name).at(-1);
  const hosts = last('host')?.split(',');
  if (hosts === undefined) return alone.map((url) => ({ url, host: new URL(url).hostname }));
  if (alone.length > 1) return [];
  const ports = last('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== hosts.length) return [];
  return hosts.map((host, n) => {
    const url = new URL(alone[0] ?? '');
    url.searchParams.set('host', host);
    const port = ports[n] ?? ports[0];
    if (port !== undefined) url.searchParams.set('port', port);
    return { url: url.href, host };
  });
}

/** A standby is read-only, and so is a primary that was configured so. */
class ReadOnlyServer extends Error {
  readonly code = '25006';
  constructor() {
    super('This server does not accept writes.');
    this.name = 'ReadOnlyServer';
  }
}

export type Connector = {
  /** One connection. @throws the driver's error of the last server */
  connect: (config: pg.ClientConfig) => Promise<pg.Client>;
  /**
   * A pool of connections.
   * @returns the pool, and a function that takes one of its connections
   */
  pool: (config: pg.PoolConfig) => { pool: pg.Pool; take: () => Promise<pg.PoolClient> };
};

/** @param address as parsed by `serversOf` */
export function createConnector(address: string): Connector {
  const servers = serversOf(address);
  let current = 0;

  /** Connects to the server that was last found to accept writes. */
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      const patience = servers.length > 1 ? { connectionTimeoutMillis: NEXT_SERVER_MS } : {};
      super({ ...config, ...patience, connectionString: servers[current]?.url });
      // A broken connection is reported here and by the current statement, or the next one.
      this.on('error', () => undefined);
    }
  }

  /** Tries each server once. */
  async function onSomeServer<T>(connect: () => Promise<T>): Promise<T> {
    for (let left = servers.length - 1; ; left -= 1) {
      const tried = current;
      try {
        return await connect();
      } catch (error) {
        if (isPoolBusy(error)) throw error;
        if (current === tried) current = (current + 1) % servers.length;
        if (left === 0) throw error;
      }
    }
  }

  return {
    connect: (config) =>
      onSomeServer(async () => {
        const client = new Client(config);
        try {
          await client.connect();
          await requireWritable(client);
          return client;
        } catch (error) {
          await client.end().catch(() => undefined);
          throw error;
        }
      }),
    pool(config) {
      const pool = new pg.Pool({
        ...config,
        Client,
        verify(client, done) {
          requireWritable(client).then(() => done(), done);
        },
      });
      // The pool drops an idle connection that breaks and opens another when needed.
      pool.on('error', () => undefined);
      return { pool, take: () => onSomeServer(() => pool.connect()) };
    },
  };
}

async function requireWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer();
}

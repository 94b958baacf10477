/** Connections to PostgreSQL. Of several servers in the address, the one that accepts writes is used. */
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionLost } from './errors.ts';
import { createReach } from './reach.ts';
import { type Line, NoAnswer, watchSilence, within } from './silence.ts';

/** Time for a new connection, and for a server's first answer on it. The next server is tried sooner, if there is one. */
const CONNECT_MS = 4_000;
const NEXT_SERVER_MS = 2_000;
/** A connection that has been idle for longer is proven before it is handed out. */
const UNPROVEN_MS = 1_000;
const PROOF_MS = 2_000;
/** Time for a connection to end politely. */
const GOODBYE_MS = 500;
/** Longer than the kernel's default of two hours, by far: the first probe of a connection without traffic. */
const KEEP_ALIVE_MS = 5_000;
/** A commit that waits this long for a standby is given up. Its outcome is unknown. */
const STANDBY_TICKS = 9;

/**
 * PostgreSQL notices within about ten seconds that this machine is gone, and then releases its locks.
 */
const INTRODUCTION = `SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
SET tcp_user_timeout = 10000;
SELECT current_setting('transaction_read_only') AS "readOnly", pg_backend_pid() AS pid,
  pg_postmaster_start_time()::text AS "serverStart"`;

type Introduction = { readOnly: string; pid: number; serverStart: string };

/** The backends that work on a statement. One that only waits for a standby has done its part. */
const AT_WORK = `SELECT pid, wait_event IS NOT DISTINCT FROM 'SyncRep' AS "waitsForStandby"
  FROM pg_stat_activity WHERE pid = ANY($1) AND state = 'active'`;

/** A standby is read-only, and so is a primary that was configured so. */
class ReadOnlyServer extends Error {
  readonly code = '25006';
  constructor() {
    super('This server does not accept writes.');
    this.name = 'ReadOnlyServer';
  }
}

/** A connection that notices when its server falls silent. */
export type WatchedClient = pg.Client & Line;

export type Connector = {
  /**
   * One connection.
   * @param settings SQL that configures its session
   * @throws the driver's error of the last server
   */
  connect: (config: pg.ClientConfig, settings?: string) => Promise<WatchedClient>;
  /** Asks once more whether a server can be reached. If not, nothing is tried any more. */
  giveUpIfSilent: () => Promise<void>;
  /**
   * A pool of connections.
   * @param patienceTicks seconds after which a statement is given up even if the server still works on it
   * @returns the pool, and a function that takes one of its connections
   */
  pool: (
    config: pg.PoolConfig,
    patienceTicks: number,
  ) => { pool: pg.Pool; take: () => Promise<pg.PoolClient & Line> };
};

/** @param address as parsed by `serversOf` */
export function createConnector(address: string): Connector {
  const open = new Set<Client>();
  const reach = createReach(address, cutIdle);
  const silence = watchSilence(async (lines, silentTicks) => {
    const asked = [...open].filter((client) => lines.includes(client));
    let witness: Client | undefined;
    try {
      witness = await connectOne();
      const { rows } = await within(
        witness,
        PROOF_MS,
        witness.query<{ pid: number; waitsForStandby: boolean | number }>(AT_WORK, [
          asked.map(({ pid }) => pid),
        ]),
      );
      const working = rows.filter((row) => !row.waitsForStandby || silentTicks < STANDBY_TICKS);
      const isAtWork = ({ pid, serverStart, patienceTicks }: Client) =>
        silentTicks < patienceTicks &&
        serverStart === witness?.serverStart &&
        working.some((row) => row.pid === pid);
      return new Set(asked.filter(isAtWork));
    } catch (error) {
      // A server that refuses one more connection is alive.
      return new Set(isConnectionLost(error) ? [] : lines);
    } finally {
      void witness?.end();
    }
  });

  /** Connects to the server that was last found to accept writes. */
  class Client extends pg.Client implements Line {
    readonly #socket: Socket;
    pid = 0;
    serverStart = '';
    patienceTicks = Infinity;
    heardAtMs = 0;
    isAsked = false;

    constructor(config: pg.ClientConfig = {}) {
      const socket = new Socket();
      super({
        application_name: 'gatehouse',
        ...config,
        stream: () => socket,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
        connectionTimeoutMillis: reach.hasSeveral ? NEXT_SERVER_MS : CONNECT_MS,
        connectionString: reach.url(),
      });
      this.#socket = socket;
      // A broken connection is reported here and by the current statement, or the next one.
      this.on('error', () => undefined);
      this.once('end', () => open.delete(this));
      const query = this.query.bind(this) as (...statement: unknown[]) => Promise<unknown>;
      Object.assign(this, { query: (...statement: unknown[]) => this.#watch(query(...statement)) });
    }

    async #watch<T>(answer: Promise<T>): Promise<T> {
      this.isAsked = true;
      try {
        return await silence.during(this, answer);
      } finally {
        [this.isAsked, this.heardAtMs] = [false, performance.now()];
      }
    }

    received(): number {
      return this.#socket.bytesRead;
    }

    cut(error: Error): void {
      this.#socket.destroy(error);
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | void {
      // Politely, but a server that is gone never takes leave.
      const late = setTimeout(() => this.#socket.destroy(), GOODBYE_MS);
      this.once('end', () => clearTimeout(late));
      if (callback === undefined) return super.end();
      super.end(callback);
    }
  }

  /** @throws unless the server accepts writes */
  async function introduce(client: Client, settings = ''): Promise<void> {
    open.add(client);
    const answers = await within(client, PROOF_MS, client.query(`${settings}${INTRODUCTION}`));
    // One for each of the statements.
    const last = (answers as unknown as pg.QueryResult<Introduction>[]).at(-1)?.rows[0];
    if (last?.readOnly !== 'off') throw new ReadOnlyServer();
    ({ pid: client.pid, serverStart: client.serverStart } = last);
  }

  /** When one connection was found dead, others that have been silent as long may be so, too. */
  function cutIdle(): void {
    for (const client of open) if (!client.isAsked && isUnproven(client)) client.cut(new NoAnswer());
  }

  const isUnproven = ({ heardAtMs }: Client) => performance.now() - heardAtMs > UNPROVEN_MS;

  const connectOne = (config?: pg.ClientConfig, settings?: string): Promise<Client> =>
    reach.onSomeServer(async () => {
      const client = new Client(config);
      try {
        await client.connect();
        await introduce(client, settings);
        return client;
      } catch (error) {
        void client.end();
        throw error;
      }
    });

  async function giveUpIfSilent(): Promise<void> {
    const asked = connectOne().then((client) => void client.end());
    const late = sleep(PROOF_MS, undefined, { ref: false }).then(() => Promise.reject(new NoAnswer()));
    try {
      await Promise.race([asked, late]);
    } catch (error) {
      if (!isConnectionLost(error)) return;
      reach.giveUp(error);
      for (const client of open) client.cut(error);
    } finally {
      for (const settled of [asked, late]) settled.catch(() => undefined);
    }
  }

  return {
    connect: connectOne,
    giveUpIfSilent,
    pool(config, patienceTicks) {
      class Pooled extends Client {
        override patienceTicks = patienceTicks;
      }
      const pool = new pg.Pool({
        ...config,
        Client: Pooled,
        verify(client, done) {
          introduce(client as unknown as Client).then(() => done(), done);
        },
      });
      // The pool drops an idle connection that breaks and opens another when needed.
      pool.on('error', () => undefined);

      async function takeProven(): Promise<pg.PoolClient & Line> {
        for (;;) {
          const client = await reach.whileReachable(pool.connect() as Promise<pg.PoolClient & Client>);
          if (!isUnproven(client)) return client;
          try {
            await within(client, PROOF_MS, client.query('SELECT 1'));
            return client;
          } catch {
            client.release(true);
            cutIdle();
          }
        }
      }
      return { pool, take: () => reach.onSomeServer(takeProven) };
    },
  };
}

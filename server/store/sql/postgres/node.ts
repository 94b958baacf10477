/** A node among the others of an installation on PostgreSQL: its registration, and whether it leads. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createConnector } from './client.ts';
import { explainPostgresError } from './errors.ts';

/** How often a node confirms its leadership, or tries to take it over. */
const LOOK_MS = 1_000;
/** A leader whose connection does not answer for this long stops leading. */
const ANSWER_MS = 5_000;
const NODE = `hashtextextended('gatehouse/node', 0)`;
/** Right after a failover no node holds its lock, but each of them has reported by the database's clock. */
const REPORTED_WITHIN_MS = 60_000;
const LEADER = `hashtextextended('gatehouse/leader', 0)`;
/** PostgreSQL notices within about ten seconds that a machine was switched off. */
const KEEP_ALIVE =
  'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3';

export type NodeRegistration = {
  /**
   * Whether this node runs the single-node jobs: clean-ups, expiry, due reviews, text messages. After an interruption
   * two nodes may believe so for a few seconds, so each job is also safe if run twice.
   */
  isLeader: () => boolean;
  /** Resigns as leader for good, so that another node takes over. */
  resign: () => Promise<void>;
  release: () => Promise<void>;
};

/**
 * Registers this process as a node, on a separate connection. If no other node is running, `alone` runs first, and no
 * other begins to serve before it has ended. A killed node counts as running for a minute. PostgreSQL releases both
 * locks when the process ends, for any reason.
 * @returns the registration to hold while serving
 */
export async function sharePostgres(url: string, alone: () => Promise<unknown>): Promise<NodeRegistration> {
  const connector = createConnector(url);
  let client: pg.Client | undefined;
  let leads = false;
  let hasResigned = false;
  const released = new AbortController();
  const isReleased = () => released.signal.aborted;

  async function connect(): Promise<pg.Client> {
    const next = await connector.connect({
      application_name: 'gatehouse node',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
    });
    next.once('end', () => {
      if (client === next) [client, leads] = [undefined, false];
    });
    try {
      await next.query(KEEP_ALIVE);
      return next;
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
  }

  const tryLock = async (on: pg.Client, key: string): Promise<boolean> => {
    const sql = `SELECT pg_try_advisory_lock(${key}) AS taken`;
    const { rows } = await on.query<{ taken: boolean }>({
      text: sql,
      query_timeout: ANSWER_MS,
    } as pg.QueryConfig);
    return rows[0]?.taken === true;
  };

  async function hasReported(on: pg.Client): Promise<boolean> {
    const sql =
      'SELECT 1 FROM nodes WHERE seen_at > EXTRACT(EPOCH FROM clock_timestamp()) * 1000 - $1 LIMIT 1';
    return (await on.query(sql, [REPORTED_WITHIN_MS])).rows.length > 0;
  }

  /** Fails while another process runs `alone`; the next poll retries. */
  async function takeNodeLock(on: pg.Client): Promise<void> {
    const text = `SET lock_timeout = ${ANSWER_MS}; SELECT pg_advisory_lock_shared(${NODE})`;
    await on.query({ text, query_timeout: 2 * ANSWER_MS } as pg.QueryConfig);
  }

  /** Confirms the leadership by a query, takes over a free one, or reconnects. */
  async function look(): Promise<void> {
    const isNew = client === undefined;
    const present = (client ??= await connect());
    try {
      if (isNew) await takeNodeLock(present);
      if (leads) await present.query({ text: 'SELECT 1', query_timeout: ANSWER_MS } as pg.QueryConfig);
      else if (!hasResigned) leads = (await tryLock(present, LEADER)) && client === present && !hasResigned;
    } catch (error) {
      if (client === present) [client, leads] = [undefined, false];
      void present.end().catch(() => undefined);
      throw error;
    }
  }

  async function keepLooking(): Promise<void> {
    while (!isReleased()) {
      await sleep(LOOK_MS, undefined, { signal: released.signal }).catch(() => undefined);
      // Without PostgreSQL nobody leads; the next poll retries.
      if (!isReleased()) await look().catch(() => undefined);
    }
  }

  try {
    const first = await connect();
    client = first;
    const isFree = await tryLock(first, NODE);
    if (isFree && !(await hasReported(first))) await alone();
    await first.query(`SELECT pg_advisory_lock_shared(${NODE})`);
    if (isFree) await first.query(`SELECT pg_advisory_unlock(${NODE})`);
    await look();
  } catch (error) {
    await client?.end().catch(() => undefined);
    throw explainPostgresError(error);
  }
  const looking = keepLooking();
  return {
    isLeader: () => leads,
    async resign() {
      [hasResigned, leads] = [true, false];
      // Queued behind a current attempt to become leader. Without a connection there is no lock.
      await client?.query(`SELECT pg_advisory_unlock(${LEADER})`).catch(() => undefined);
    },
    async release() {
      released.abort();
      leads = false;
      // Also ends a poll that waits for its lock.
      await client?.end();
      await looking;
      await client?.end();
    },
  };
}

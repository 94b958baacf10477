/** A node among the others of an installation on PostgreSQL: its registration, and whether it leads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_SILENT_MS } from '../key-rotation.ts';
import { createConnector, type WatchedClient } from './client.ts';
import { explainPostgresError } from './errors.ts';
import { within } from './silence.ts';

/** How often a node confirms its leadership, or tries to take it over. */
const LOOK_MS = 1_000;
/** Without an answer for this long, the node reconnects. */
const ANSWER_MS = 3_000;
/** A leader that could not confirm it for this long stops leading: sooner than PostgreSQL lets another one lead. */
const LEADS_MS = 4_000;
/** PostgreSQL ends the connection of a node that was stopped, and with it the lead. */
const SILENT_MS = 6_000;
/** How long a node that stops waits for its own polls. */
const RELEASE_MS = 1_000;
const NODE = `hashtextextended('gatehouse/node', 0)`;
const LEADER = `hashtextextended('gatehouse/leader', 0)`;

export type NodeRegistration = {
  /**
   * Whether this node runs the single-node jobs: clean-ups, expiry, due reviews, text messages. Ask right before each of
   * them. A job that was stopped in the middle may continue while another node leads, so each is also safe if run twice.
   */
  isLeader: () => boolean;
  /** Resigns as leader permanently, so that another node takes over. */
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
  let client: WatchedClient | undefined;
  let leads = false;
  /** The clock of the process stands still while the machine sleeps, and that of the machine can be changed. */
  let confirmed = { steadyMs: -Infinity, wallMs: -Infinity };
  let hasResigned = false;
  const released = new AbortController();
  const isReleased = () => released.signal.aborted;

  async function connect(): Promise<WatchedClient> {
    const next = await connector.connect({ application_name: 'gatehouse node' });
    next.once('end', () => {
      if (client === next) [client, leads] = [undefined, false];
    });
    if (!isReleased()) return next;
    void next.end();
    throw new Error('This node has stopped.');
  }

  const tryLock = async (on: WatchedClient, key: string): Promise<boolean> => {
    const sql = `SELECT pg_try_advisory_lock(${key}) AS taken`;
    const { rows } = await within(on, ANSWER_MS, on.query<{ taken: boolean }>(sql));
    return rows[0]?.taken === true;
  };

  async function hasReported(on: WatchedClient): Promise<boolean> {
    const sql =
      'SELECT 1 FROM nodes WHERE seen_at > EXTRACT(EPOCH FROM clock_timestamp()) * 1000 - $1 LIMIT 1';
    // Right after a failover no node holds its lock, but each of them has reported by the database's clock.
    return (await on.query(sql, [NODE_SILENT_MS])).rows.length > 0;
  }

  /** Fails while another process runs `alone`; the next poll retries. */
  async function takeNodeLock(on: WatchedClient): Promise<void> {
    await on.query(`SET lock_timeout = ${ANSWER_MS}; SET idle_session_timeout = ${SILENT_MS}`);
    await within(on, 2 * ANSWER_MS, on.query(`SELECT pg_advisory_lock_shared(${NODE})`));
  }

  /** Confirms the leadership by a query, takes over a free one, or reconnects. */
  async function look(): Promise<void> {
    const isNew = client === undefined;
    const present = (client ??= await connect());
    try {
      if (isNew) await takeNodeLock(present);
      // PostgreSQL counts from the answer, so the node is never the later one.
      const asked = { steadyMs: performance.now(), wallMs: Date.now() };
      if (leads || hasResigned) await within(present, ANSWER_MS, present.query('SELECT 1'));
      else leads = (await tryLock(present, LEADER)) && client === present && !hasResigned;
      confirmed = asked;
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
    // Without a limit: the process that is alone may copy the whole database.
    await first.query(`SELECT pg_advisory_lock_shared(${NODE})`);
    if (isFree) await first.query(`SELECT pg_advisory_unlock(${NODE})`);
    await first.query(`SET idle_session_timeout = ${SILENT_MS}`);
    await look();
  } catch (error) {
    await client?.end().catch(() => undefined);
    throw explainPostgresError(error);
  }
  const looking = keepLooking();
  return {
    isLeader: () =>
      leads &&
      performance.now() - confirmed.steadyMs < LEADS_MS &&
      Math.abs(Date.now() - confirmed.wallMs) < LEADS_MS,
    async resign() {
      [hasResigned, leads] = [true, false];
      // Queued behind a current attempt to become leader. Without a connection there is no lock.
      const unlocked = client?.query(`SELECT pg_advisory_unlock(${LEADER})`);
      if (client && unlocked) await within(client, ANSWER_MS, unlocked).catch(() => undefined);
    },
    async release() {
      released.abort();
      leads = false;
      // Also ends a poll that waits for its lock.
      await client?.end();
      // It may be trying to reach a server that is gone. A connection that it still gets is closed in `connect`.
      await Promise.race([looking, sleep(RELEASE_MS, undefined, { ref: false })]);
      await client?.end();
    },
  };
}

/** The SQL port over PostgreSQL (15 or newer). */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migratePostgres } from '../migrate.ts';
import { type Announcement, announcementOf, createFollowers } from '../followers.ts';
import {
  coveredBy,
  type Database,
  type Lock,
  type SqlReader,
  type SqlTx,
  type SqlValue,
  StoreError,
} from '../port.ts';
import { createBus, LISTENING } from './bus.ts';
import { type Line, within } from './silence.ts';
import { type Connector, createConnector } from './client.ts';
import { toParameter, toPostgres, types } from './dialect.ts';
import { explainPostgresError, isConnectionLost, isRetryable } from './errors.ts';
import { readSealing, registerKeys } from '../key-rotation.ts';
import type { Secrets } from '../sealed-columns.ts';
import { createSecrets, type KeyRing } from '../secrets.ts';
import { runAttended } from '../transaction.ts';
import { type Driver, type OnRefusedWrites, watchWrites } from '../refused-writes.ts';

/** Connections of one node. Each transaction uses one; reads share the others. */
const POOL_SIZE = 10;
/** How long a statement waits for a connection, and a transaction for its lock. */
const PATIENCE_MS = 10_000;
const STATEMENT_MS = 60_000;
/** This process gives up later than the server, whose error is clearer. */
const BEGIN_MS = PATIENCE_MS + 2_000;
const STATEMENT_TICKS = 64;
/** A commit can wait for a standby that hangs. Its outcome is unknown then, so the caller has to ask again. */
const COMMIT_MS = 10_000;
/** A transaction awaits only its statements. One that pauses in between belongs to a hung node. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** Longer than it takes to start a transaction again on a connection that broke. */
const BEGIN_AGAIN_MS = 2_000;
const IDLE_CONNECTION_MS = 60_000;
/** A deadlock ends one of the two transactions, which is retried. */
const MAX_TRIES = 5;

type PostgresOptions = {
  /** `postgres://user:password@host/database`, already checked against the TLS rules. Never logged. */
  url: string;
  /** Keys of the sealed columns, which the database itself never sees. */
  keys: KeyRing;
  poolSize?: number;
  /** Called before an older schema is changed, or a first one created (0). A throw leaves the database unchanged. */
  beforeMigration?: ((schemaVersion: number) => void) | undefined;
  /** Receives errors of followers. Defaults to a process warning. */
  onFollowerError?: ((error: unknown) => void) | undefined;
  onRefusedWrites?: OnRefusedWrites | undefined;
};

/**
 * Connects to a database, and creates or migrates its schema if needed.
 * @throws StoreError in words for the operator
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const connector = createConnector(options.url);
  const connection: pg.ClientConfig = {
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types,
  };
  try {
    const first = await connector.connect(connection);
    try {
      await refuseOtherEncoding(first);
      await migratePostgres(first, options.beforeMigration);
    } finally {
      await first.end().catch(() => undefined);
    }
  } catch (error) {
    throw explainPostgresError(error);
  }
  const db = assemble(connector, connection, options);
  try {
    await readSealing(db);
    await registerKeys(db);
    return followSealing(db);
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Several times within the time after which the rows from before are sealed. */
const SEALING_READ_MS = 10_000;

/** Until the columns that were sealed later are, this process looks whether it has to seal them by now. */
function followSealing(db: Database): Database {
  if (db.secrets.sealing.stage === 'complete') return db;
  const timer = setInterval(() => {
    readSealing(db).then(
      (stage) => stage === 'complete' && clearInterval(timer),
      () => undefined,
    );
  }, SEALING_READ_MS).unref();
  const close = () => {
    clearInterval(timer);
    return db.close();
  };
  return { ...db, close };
}

/** Another one has no room for most names: it would fail at the first guest. @throws StoreError */
async function refuseOtherEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new StoreError(
    'database_encoding',
    `The PostgreSQL database has the encoding ${encoding ?? 'unknown'}, which cannot store every name. Create one with: ` +
      'createdb --encoding UTF8 --template template0 NAME. Nothing was changed.',
  );
}

/** Runs a statement: a transaction's connection, or any of the pool. */
type Query = (sql: string, params: SqlValue[]) => Promise<pg.QueryResult>;

/** Named, so that each connection plans a statement once. */
type Prepared = { name: string; text: string };
const prepared = new Map<string, Prepared>();
function prepare(sql: string): Prepared {
  let known = prepared.get(sql);
  if (known === undefined) {
    known = { name: `s${prepared.size}`, text: toPostgres(sql) };
    prepared.set(sql, known);
  }
  return known;
}

const queryOn =
  (client: pg.PoolClient): Query =>
  (sql, params) =>
    client.query({ ...prepare(sql), values: params.map(toParameter) });

const readerOf = (query: Query, secrets: Secrets): SqlReader => ({
  secrets,
  all: async <T>(sql: string, ...params: SqlValue[]) => (await query(sql, params)).rows as T[],
  one: async <T>(sql: string, ...params: SqlValue[]) => (await query(sql, params)).rows[0] as T | undefined,
});

const lockOn = (key: string): string =>
  `pg_advisory_xact_lock(hashtextextended(${pg.escapeLiteral(key)}, 0))`;
const INSTALLATION = 'gatehouse/installation';

/** Begins and takes the locks, always in the order installation, company, further keys. */
function beginWith(lock: Lock | undefined): string {
  const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';
  if (lock === undefined) return `${begin}; SELECT ${lockOn(INSTALLATION)}`;
  const shared = lockOn(INSTALLATION).replace('xact_lock', 'xact_lock_shared');
  const company = lock.companyId === null ? [] : [`gatehouse/company/${lock.companyId}`];
  const keys = (lock.keys ?? []).toSorted().map((key) => `gatehouse/key/${key}`);
  const own = [...company, ...keys].map((key) => `SELECT ${lockOn(key)}`);
  return [begin, `SELECT ${shared}`, ...own].join('; ');
}

/**
 * Marks code inside a transaction. A nested transaction would take its locks out of order, and wait for its own
 * process if they are the same.
 */
const inside = new AsyncLocalStorage<{ isOpen: boolean }>();

function assemble(
  connector: Connector,
  connection: pg.ClientConfig,
  { onFollowerError, onRefusedWrites, keys, poolSize = POOL_SIZE }: PostgresOptions,
): Database {
  const { pool, take } = connector.pool(
    {
      ...connection,
      connectionTimeoutMillis: PATIENCE_MS,
      max: poolSize,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      statement_timeout: STATEMENT_MS,
      lock_timeout: PATIENCE_MS,
    },
    STATEMENT_TICKS,
  );
  const secrets = createSecrets(keys);
  const followers = createFollowers(onFollowerError);
  const query: Query = async (sql, params) => {
    const client = await take();
    let isBroken = false;
    try {
      return await queryOn(client)(sql, params);
    } catch (error) {
      isBroken = isConnectionLost(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  };
  const bus = createBus(
    () => connector.connect({ ...connection, application_name: 'gatehouse events' }, LISTENING),
    async (channel, message) => {
      await query('SELECT pg_notify(?, ?)', [channel, message]);
    },
    (announcements) => followers.tell(announcements),
  );
  let damaged = false;
  let closed: Promise<void> | undefined;
  const running = new Set<Promise<unknown>>();
  const explained = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed !== undefined) throw new Error('The database is closed.');
    const statement = work();
    running.add(statement);
    try {
      return await statement;
    } catch (error) {
      const reason = explainPostgresError(error);
      damaged ||= reason instanceof StoreError && reason.code === 'database_damaged';
      throw reason;
    } finally {
      running.delete(statement);
    }
  };
  const reads = readerOf(query, secrets);

  /** Awaited only at shutdown, because the transaction has been committed. */
  function tellOthers(announced: readonly Announcement[]): void {
    const sent = bus.send(announced);
    running.add(sent);
    void sent.finally(() => running.delete(sent));
  }

  /** Connections that broke a moment ago are detected here, before they are used. */
  async function begin(lock: Lock | undefined): Promise<pg.PoolClient & Line> {
    const startedMs = performance.now();
    for (;;) {
      const client = await take();
      try {
        await within(client, BEGIN_MS, client.query(beginWith(lock)));
        return client;
      } catch (error) {
        client.release(true);
        if (!isConnectionLost(error) || performance.now() - startedMs > BEGIN_AGAIN_MS) throw error;
      }
    }
  }

  async function attempt<T>(
    work: (tx: SqlTx) => Promise<T>,
    lock: Lock | undefined,
    mayWait: boolean,
  ): Promise<{ value: T; announced: Announcement[] }> {
    const announced: Announcement[] = [];
    const client = await begin(lock);
    const own = { isOpen: true };
    let isBroken = false;
    try {
      const onClient = queryOn(client);
      const tx: SqlTx = {
        ...readerOf(onClient, secrets),
        run: async (sql, ...params) => (await onClient(sql, params)).rowCount ?? 0,
        afterCommit: (topic, subject) => void announced.push(announcementOf(topic, subject)),
        covers: coveredBy(lock),
      };
      const value = await inside.run(own, () => runAttended(tx, work, { mayWait, answersAtOnce: false }));
      // PostgreSQL answers ROLLBACK instead of an error if `work` has swallowed the failure of a statement.
      if ((await within(client, COMMIT_MS, client.query('COMMIT'))).command !== 'COMMIT')
        throw new Error('A statement of this transaction failed, so nothing was changed.');
      return { value, announced };
    } catch (error) {
      // A server that became read-only answers ROLLBACK, but the next transaction needs another one.
      isBroken = isConnectionLost(error);
      await client.query('ROLLBACK').catch(() => {
        isBroken = true;
      });
      throw error;
    } finally {
      own.isOpen = false;
      client.release(isBroken);
    }
  }

  async function tx<T>(
    work: (tx: SqlTx) => Promise<T>,
    lock: Lock | undefined,
    mayWait: boolean,
  ): Promise<T> {
    if (inside.getStore()?.isOpen) throw new Error('A transaction was begun inside another one.');
    for (let tries = 1; ; tries += 1) {
      try {
        const { value, announced } = await attempt(work, lock, mayWait);
        followers.tell(announced);
        if (announced.length > 0) tellOthers(announced);
        return value;
      } catch (error) {
        if (!isRetryable(error) || tries === MAX_TRIES) throw error;
        await sleep(Math.random() * 10 * 2 ** tries);
      }
    }
  }

  const driver: Driver = {
    engine: 'postgres',
    secrets,
    all: (sql, ...params) => explained(() => reads.all(sql, ...params)),
    one: (sql, ...params) => explained(() => reads.one(sql, ...params)),
    tx: (work, lock, mayWait) => explained(() => tx(work, lock, mayWait !== undefined)),
    write: (sql, ...params) => explained(async () => (await query(sql, params)).rowCount ?? 0),
    announce(topic, subject) {
      const announced = [announcementOf(topic, subject)];
      followers.tell(announced);
      tellOthers(announced);
    },
    follow(topic, listener, subject) {
      void bus.listen();
      return followers.follow(topic, listener, subject);
    },
    truncateLog: async () => undefined,
    giveUpIfSilent: connector.giveUpIfSilent,
    isDamaged: () => damaged,
    close: () => {
      followers.close();
      return (closed ??= Promise.allSettled(running)
        // Their last commits may have announced something, too.
        .then(() => Promise.allSettled([...running, bus.close()]))
        .then(() => pool.end()));
    },
  };
  return watchWrites(driver, onRefusedWrites);
}

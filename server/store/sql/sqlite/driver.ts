import type Sqlite from 'better-sqlite3';
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, statSync } from 'node:fs';
import { readOrCreateKeyFile } from '../key-file.ts';
import { migrate, pendingMigration } from '../migrate.ts';
import { createForOwner } from '../owner-only.ts';
import { coveredBy, type Database, type Lock, type SqlTx, type SqlValue, StoreError } from '../port.ts';
import { type Announcement, announcementOf, createFollowers, EVERYTHING } from '../followers.ts';
import { connectSqlite, quickCheck, withPatience } from './connection.ts';
import { asUniqueViolation, explainSqliteError } from './errors.ts';
import { type Driver, type OnRefusedWrites, watchWrites } from '../refused-writes.ts';
import { UNSEALED } from '../secrets.ts';
import { runAttended } from '../transaction.ts';
import { type DamagedLog, damageOf, readMark, removeMark } from './durable-mark.ts';
import { framesOf, writeAheadLog, type WriteAheadLog } from './log.ts';
import { type SingleStatement, singleStatements } from './single-statements.ts';
import { preparer, snapshotReader } from './snapshot.ts';
import { watchOthers } from './other-processes.ts';

/** Bounds what gathering a group adds to the wait of its first caller. */
const LONGEST_GATHERING_MS = 2;
/** One turn can bring nothing only because the next request is still being read. */
const TURNS_WITHOUT_MORE = 2;
/** Bounds the time readers wait for a commit under a flood of writes. */
const MAX_GROUP = 256;
/**
 * Above this size, checking every page would delay the start noticeably; pages are authenticated on reading anyway.
 */
const QUICK_CHECK_BYTES = 32 * 1024 * 1024;

/** How soon emptying the log is retried while another process still reads it. */
const TRUNCATE_AGAIN_MS = 1_000;
/** From this schema on, deleted content is overwritten. Earlier remains are removed once, by the upgrade. */
const SECURE_SINCE_SCHEMA = 24;
/** Done in memory, see `unlock`. In a larger database, restoring a backup of it removes the remains. */
const VACUUM_BYTES = 1024 * 1024 * 1024;

type Transaction = {
  sql?: undefined;
  work: (tx: SqlTx) => Promise<unknown>;
  /** SQLite writes one transaction at a time in any case; a test still finds one that PostgreSQL would not exclude. */
  lock: Lock | undefined;
  mayWait: boolean;
  /** What the work returned. */
  result?: unknown;
};
/** Waits for its group, and then for the commit. */
type Job = (Transaction | SingleStatement) & { settle: (failure: unknown) => void };

export type SqliteOptions = {
  path: string;
  keyPath: string;
  /** The key itself, if it is stored more safely than in the key file. */
  key?: Uint8Array | undefined;
  /** Called before an existing database is migrated; its failure leaves the database unchanged. */
  beforeMigration?: (from: { schemaVersion: number; key: Uint8Array }) => Promise<void>;
  /** Receives errors of followers. Defaults to a process warning. */
  onFollowerError?: ((error: unknown) => void) | undefined;
  onRefusedWrites?: OnRefusedWrites | undefined;
  /** Receives what is missing from the log, once the database is open. */
  onDamagedLog?: ((damage: DamagedLog) => void) | undefined;
};

/**
 * Opens (and creates or migrates) the encrypted database. One connection writes, one reads; transactions that arrive
 * together share one durable commit.
 * @throws StoreError in words for the operator
 */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { path, keyPath, beforeMigration } = options;
  const key = options.key ?? readOrCreateKeyFile(keyPath, path);
  const existed = existsSync(path);
  createForOwner(path);
  const mark = readMark(path);
  const opened: { close: () => void }[] = [];
  const connect = async (): Promise<Sqlite.Database> => {
    const connection = await connectSqlite(path, key);
    opened.push(connection);
    return connection;
  };
  try {
    const writer = await connect();
    const damage = damageOf(path, mark, framesOf(writer));
    if (existed && statSync(path).size <= QUICK_CHECK_BYTES) quickCheck(writer, path);
    const schemaVersion = pendingMigration(writer);
    if (existed && schemaVersion !== null) await beforeMigration?.({ schemaVersion, key });
    const isOld = schemaVersion !== null && schemaVersion < SECURE_SINCE_SCHEMA;
    if (isOld && statSync(path).size <= VACUUM_BYTES) {
      await withPatience(() => writer.exec('VACUUM'));
    }
    await withPatience(() => {
      migrate(writer);
    });
    const reader = await connect();
    reader.pragma('query_only = ON');
    const log = writeAheadLog(writer, path);
    // First, because SQLite deletes the log with its last connection, and Windows deletes no open file.
    opened.unshift(log);
    // A process that died may have left pages in the log.
    log.truncate();
    if (damage) options.onDamagedLog?.(damage);
    return assemble(writer, reader, log, options);
  } catch (error) {
    for (const each of opened) each.close();
    throw explainSqliteError(error, path);
  }
}

function assemble(
  writer: Sqlite.Database,
  reader: Sqlite.Database,
  log: WriteAheadLog,
  {
    path,
    onFollowerError,
    onRefusedWrites,
  }: Pick<SqliteOptions, 'path' | 'onFollowerError' | 'onRefusedWrites'>,
): Database {
  const prepare = preparer(writer);
  const runSingles = singleStatements(writer, prepare);
  const followers = createFollowers(onFollowerError);
  /** Announcements of the current job. */
  let announced: Announcement[] = [];
  let covers = coveredBy(undefined);
  const tx: SqlTx = {
    secrets: UNSEALED,
    all: async <T>(sql: string, ...params: SqlValue[]) => prepare(sql).all(...params) as T[],
    one: async <T>(sql: string, ...params: SqlValue[]) => prepare(sql).get(...params) as T | undefined,
    run: async (sql: string, ...params: SqlValue[]) => prepare(sql).run(...params).changes,
    afterCommit(topic, subject) {
      announced.push(announcementOf(topic, subject));
    },
    covers: (companyId) => covers(companyId),
  };
  let damaged = false;
  /** Permanent: SQLite ignores the log after a gap. */
  let unsynced: StoreError | undefined;
  const explain = (error: unknown): unknown => {
    const explained = asUniqueViolation(explainSqliteError(error, path), writer);
    damaged ||= explained instanceof StoreError && explained.code === 'database_damaged';
    return explained;
  };
  const { refresh, hold, ...reads } = snapshotReader(reader, explain);
  let waiting: Job[] = [];
  let draining: Promise<void> | undefined;
  let closed = false;
  let awaitingTruncation: (() => void)[] = [];
  let truncateAgain: NodeJS.Timeout | undefined;
  let others: { close: () => void } | undefined;

  /** Between transactions, and without our own snapshot, because either would keep the log. */
  function truncateNow(): void {
    if (awaitingTruncation.length === 0) return;
    const settle = awaitingTruncation;
    awaitingTruncation = [];
    refresh();
    clearTimeout(truncateAgain);
    let isDone = false;
    try {
      // A log that may have gaps must not be copied into the database.
      isDone = unsynced !== undefined || log.truncate();
    } catch (error) {
      explain(error);
    }
    if (!isDone) truncateAgain = setTimeout(() => void truncateLog(), TRUNCATE_AGAIN_MS).unref();
    for (const resolve of settle) resolve();
  }

  function truncateLog(): Promise<void> {
    if (closed) return Promise.resolve();
    return new Promise((resolve) => {
      awaitingTruncation.push(resolve);
      draining ??= drain();
    });
  }

  /**
   * Every later write is refused as well, because Linux reports lost data only once: the next sync would succeed.
   * @throws StoreError
   */
  async function sync(): Promise<void> {
    try {
      await log.sync();
    } catch (error) {
      damaged = true;
      unsynced = new StoreError(
        'database_not_writable',
        `The disk that holds ${path} could not store a change. Check the disk, then start Gatehouse again.`,
        { cause: error },
      );
      throw unsynced;
    }
  }

  /** In a savepoint. Returns the failure, if it did. */
  async function runTransaction(job: Transaction, committed: Announcement[]): Promise<unknown> {
    prepare('SAVEPOINT job').run();
    let failure: unknown;
    announced = [];
    covers = coveredBy(job.lock);
    try {
      job.result = await runAttended(tx, job.work, { mayWait: job.mayWait, answersAtOnce: true });
      committed.push(...announced);
    } catch (error) {
      // Some disk failures end the whole transaction, and with it every job of the group.
      if (!writer.inTransaction) throw error;
      failure = error;
      prepare('ROLLBACK TO job').run();
    }
    prepare('RELEASE job').run();
    return failure;
  }

  /**
   * One group: BEGIN, each job of several statements in a savepoint of its own, COMMIT, the log on the disk, and only then
   * the answers. Readers see the state before the group until it is durable.
   */
  async function commitGroup(jobs: Job[]): Promise<void> {
    const failures: unknown[] = [];
    const committed: Announcement[] = [];
    try {
      if (unsynced) throw unsynced;
      await withPatience(() => prepare('BEGIN IMMEDIATE').run());
      for (let next = jobs[0]; next; next = jobs[failures.length]) {
        if (next.sql === undefined) failures.push(await runTransaction(next, committed));
        else failures.push(...runSingles(next, jobs, failures.length));
      }
      hold();
      prepare('COMMIT').run();
      await sync();
      refresh();
    } catch (error) {
      if (writer.inTransaction) prepare('ROLLBACK').run();
      refresh();
      const explained = explain(error);
      for (const job of jobs) job.settle(explained);
      return;
    }
    jobs.forEach((job, i) => {
      job.settle(failures[i] === undefined ? undefined : explain(failures[i]));
    });
    // Before the next read. The commit itself is not affected.
    try {
      log.shorten();
    } catch (error) {
      explain(error);
    }
    followers.tell(committed);
  }

  /** Waits while the event loop brings more: storing thirty rows takes little longer than storing ten. */
  async function gather(): Promise<void> {
    const startedAtMs = performance.now();
    let gathered = 0;
    for (let turns = 0; turns < TURNS_WITHOUT_MORE && waiting.length < MAX_GROUP; turns++) {
      if (performance.now() - startedAtMs > LONGEST_GATHERING_MS) return;
      if (waiting.length > gathered) turns = 0;
      gathered = waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0 || awaitingTruncation.length > 0) {
      await gather();
      const jobs = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      if (jobs.length > 0) await commitGroup(jobs);
      // After each group, because under load further jobs have always arrived meanwhile.
      truncateNow();
    }
    draining = undefined;
  }

  function join<T>(job: Transaction | SingleStatement): Promise<T> {
    if (closed) return Promise.reject(new Error('The database is closed.'));
    return new Promise<T>((resolve, reject) => {
      const settle = (failure: unknown) => {
        if (failure === undefined) resolve(job.result as T);
        else if (failure instanceof Error) reject(failure);
        else reject(new Error('The transaction failed.', { cause: failure }));
      };
      waiting.push(Object.assign(job, { settle }));
      draining ??= drain();
    });
  }

  const driver: Driver = {
    engine: 'sqlite',
    ...reads,
    truncateLog,
    isDamaged: () => damaged,
    // The work runs in its caller's context, not in that of the group.
    tx: (work, lock, mayWait) =>
      join({ work: AsyncLocalStorage.bind(work), lock, mayWait: mayWait !== undefined }),
    write: (sql, ...params) => join({ sql, params }),
    announce: (topic, subject) => followers.tell([announcementOf(topic, subject)]),
    follow(topic, listener, subject) {
      others ??= watchOthers(writer, path, () => followers.tell(EVERYTHING));
      return followers.follow(topic, listener, subject);
    },
    giveUpIfSilent: async () => undefined,
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(truncateAgain);
      followers.close();
      others?.close();
      await draining;
      refresh();
      log.close();
      reader.close();
      writer.close();
      removeMark(path);
    },
  };
  return watchWrites(driver, onRefusedWrites);
}

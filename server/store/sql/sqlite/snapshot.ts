/** Reads from SQLite in snapshots that several callers share. */
import type Sqlite from 'better-sqlite3';
import type { SqlReader, SqlValue } from '../port.ts';
import { UNSEALED } from '../secrets.ts';
import { KnownRows } from './known-rows.ts';

/** Prepares each statement once. */
export function preparer(connection: Sqlite.Database): (sql: string) => Sqlite.Statement {
  const cache = new Map<string, Sqlite.Statement>();
  return (sql) => {
    let statement = cache.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      cache.set(sql, statement);
    }
    return statement;
  };
}

/**
 * A turn of the event loop that lasts longer begins another snapshot: a slow commit may hold the turn, and meanwhile another
 * process may commit a key and a caller may use it.
 */
const LONGEST_SNAPSHOT_MS = 1;
/** A snapshot that is held longer lets reads wait for the next one, so that a slow disk does not hide another process's commit. */
const LONGEST_HELD_MS = 20;

/**
 * Reads of one turn of the event loop share one snapshot, which halves their cost. The snapshot ends with the turn, or earlier
 * when a transaction commits, so that a caller who awaited the commit reads its rows. From `hold` to the next `refresh` it
 * outlasts the turn: the state before a commit that is not yet durable. `one` reads a row only once until something is
 * committed, because requests have a key and settings in common.
 */
export function snapshotReader(
  connection: Sqlite.Database,
  explain: (error: unknown) => unknown,
): SqlReader & { refresh: () => void; hold: () => void } {
  const prepare = preparer(connection);
  const known = new KnownRows();
  /** Changes with every commit of another connection, in this process or another. */
  const dataVersion = connection.prepare('PRAGMA data_version').pluck();
  let version: unknown;
  let isOpen = false;
  let openedAtMs = 0;
  let held: { released: Promise<undefined>; release: (done: undefined) => void } | undefined;
  const refresh = () => {
    held?.release(undefined);
    held = undefined;
    if (!isOpen) return;
    isOpen = false;
    try {
      prepare('COMMIT').run();
    } catch {
      // Nothing was written, and the caller already got the error, so this must not crash the process.
      if (connection.inTransaction) prepare('ROLLBACK').run();
    }
  };
  const open = () => {
    const nowMs = performance.now();
    if (isOpen && (held || nowMs - openedAtMs <= LONGEST_SNAPSHOT_MS)) return;
    refresh();
    prepare('BEGIN').run();
    isOpen = true;
    // BEGIN alone reads nothing; this read begins the snapshot.
    const current = dataVersion.get();
    if (current !== version) known.clear();
    version = current;
    openedAtMs = nowMs;
    setImmediate(refreshUnlessHeld);
  };
  const refreshUnlessHeld = () => {
    if (!held) refresh();
  };
  const hold = () => {
    // Another process may have committed since this turn's snapshot began.
    refresh();
    explained(() => undefined);
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    held = { released, release };
  };
  /** Undefined unless the read has to wait. A read that failed on the disk may have ended it. */
  const freshSnapshot = (): Promise<void> | undefined =>
    held && (!isOpen || performance.now() - openedAtMs > LONGEST_HELD_MS) ? held.released : undefined;
  const explained = <T>(read: () => T): T => {
    try {
      open();
      return read();
    } catch (error) {
      // The read may have ended the snapshot (on a broken disk), or never have begun it.
      if (held) isOpen = connection.inTransaction;
      else refresh();
      throw explain(error);
    }
  };
  return {
    secrets: UNSEALED,
    refresh,
    hold,
    async all<T>(sql: string, ...params: SqlValue[]) {
      const fresh = freshSnapshot();
      if (fresh) await fresh;
      return explained(() => prepare(sql).all(...params) as T[]);
    },
    async one<T>(sql: string, ...params: SqlValue[]) {
      const fresh = freshSnapshot();
      if (fresh) await fresh;
      return explained(() => known.row(sql, params, () => prepare(sql).get(...params)) as T | undefined);
    },
  };
}

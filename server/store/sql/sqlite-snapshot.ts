import type Sqlite from 'better-sqlite3';
import type { SqlReader, SqlValue } from './port.ts';
import { UNSEALED } from './secrets.ts';

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

/**
 * Reads of one turn of the event loop share one snapshot, which halves their cost. It ends with the turn, or earlier
 * when a transaction commits, so that a caller who awaited the commit reads its rows.
 */
export function snapshotReader(
  connection: Sqlite.Database,
  explain: (error: unknown) => unknown,
): SqlReader & { refresh: () => void } {
  const prepare = preparer(connection);
  let isOpen = false;
  let openedAtMs = 0;
  const isReading = () => connection.inTransaction;
  const refresh = () => {
    if (!isOpen) return;
    isOpen = false;
    // A read that the disk failed may have ended the snapshot already.
    if (!isReading()) return;
    try {
      prepare('COMMIT').run();
    } catch {
      // Nothing was written, and the caller who met the damaged page was told, so the process must not end as well.
      if (isReading()) prepare('ROLLBACK').run();
    }
  };
  const open = () => {
    const nowMs = performance.now();
    if (isOpen && nowMs - openedAtMs <= LONGEST_SNAPSHOT_MS) return;
    refresh();
    prepare('BEGIN').run();
    isOpen = true;
    openedAtMs = nowMs;
    setImmediate(refresh);
  };
  const explained = <T>(read: () => T): T => {
    try {
      open();
      return read();
    } catch (error) {
      throw explain(error);
    }
  };
  return {
    secrets: UNSEALED,
    refresh,
    async all<T>(sql: string, ...params: SqlValue[]) {
      return explained(() => prepare(sql).all(...params) as T[]);
    },
    async one<T>(sql: string, ...params: SqlValue[]) {
      return explained(() => prepare(sql).get(...params) as T | undefined);
    },
  };
}

/** Reads from SQLite in snapshots that several callers share. */
import type Sqlite from 'better-sqlite3';
import type { SqlReader, SqlValue } from '../port.ts';
import { UNSEALED } from '../secrets.ts';

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
 * Reads of one turn of the event loop share one snapshot, which halves their cost. `one` reads a row only once in it, because
 * requests that arrive together have a key and settings in common. The snapshot ends with the turn, or earlier when a
 * transaction commits, so that a caller who awaited the commit reads its rows. From `hold` to the next `refresh` it outlasts
 * the turn: the state before a commit that is not yet durable.
 */
export function snapshotReader(
  connection: Sqlite.Database,
  explain: (error: unknown) => unknown,
): SqlReader & { refresh: () => void; hold: () => void } {
  const prepare = preparer(connection);
  /** What `one` read in this snapshot, by statement and parameters. Frozen, because callers share the rows. */
  const rows = new Map<string, Map<string, unknown>>();
  let isOpen = false;
  let openedAtMs = 0;
  let held: { released: Promise<undefined>; release: (done: undefined) => void } | undefined;
  const refresh = () => {
    held?.release(undefined);
    held = undefined;
    rows.clear();
    if (!isOpen) return;
    isOpen = false;
    try {
      prepare('COMMIT').run();
    } catch {
      // Nothing was written, and the caller who met the damaged page was told, so the process must not end as well.
      if (connection.inTransaction) prepare('ROLLBACK').run();
    }
  };
  const open = () => {
    const nowMs = performance.now();
    if (isOpen && (held || nowMs - openedAtMs <= LONGEST_SNAPSHOT_MS)) return;
    refresh();
    prepare('BEGIN').run();
    isOpen = true;
    openedAtMs = nowMs;
    setImmediate(refreshUnlessHeld);
  };
  const refreshUnlessHeld = () => {
    if (!held) refresh();
  };
  const hold = () => {
    // Another process may have committed since this turn's snapshot began. BEGIN alone reads nothing yet.
    refresh();
    explained(() => prepare('SELECT 1 FROM sqlite_schema').get());
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
      return explained(() => {
        const key = keyOf(params);
        const known = rows.get(sql) ?? new Map<string, unknown>();
        if (!known.has(key)) rows.set(sql, known.set(key, Object.freeze(prepare(sql).get(...params))));
        return known.get(key) as T | undefined;
      });
    },
  };
}

/** The same text for the same parameters only. */
function keyOf(params: readonly SqlValue[]): string {
  let key = '';
  for (const param of params) {
    const isBytes = param instanceof Uint8Array;
    const text = isBytes
      ? Buffer.from(param.buffer, param.byteOffset, param.length).toString('latin1')
      : String(param);
    key += `${isBytes ? 'bytes' : typeof param} ${text.length} ${text}`;
  }
  return key;
}

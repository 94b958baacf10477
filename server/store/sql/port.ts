/** What a statement binds. Booleans are stored as 0 and 1, times as epoch milliseconds, JSON as text. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * The small SQL port behind which SQLite stands today. Statements use `?` in order and portable SQL; what differs
 * between engines is the DDL alone.
 */
export type SqlReader = {
  all: <T>(sql: string, ...params: SqlValue[]) => Promise<T[]>;
  one: <T>(sql: string, ...params: SqlValue[]) => Promise<T | undefined>;
};

/** What a process follows: calls to send, codes to send, and sessions, each by its id. */
export type Topic = 'webhooks' | 'codes' | 'session';

export type SqlTx = SqlReader & {
  /** Number of rows changed. */
  run: (sql: string, ...params: SqlValue[]) => Promise<number>;
  /**
   * Announces the topic to its followers once this transaction's commit is durable, and never after a rollback. The
   * same subject is announced once for each commit. The function that writes the row calls it, so that no caller has to.
   */
  afterCommit: (topic: Topic, subject?: string) => void;
};

export type Database = SqlReader & {
  /**
   * Runs `work` alone and atomically; resolves after the commit is durable. `work` awaits nothing but the statements
   * of its `tx`: it holds the only writer. A throw rolls back its own changes and no other transaction's.
   */
  tx<T>(work: (tx: SqlTx) => Promise<T>): Promise<T>;
  /**
   * One statement as a transaction of its own, at less cost than `tx`. Resolves after the commit is durable, with the
   * number of rows changed.
   */
  write: SqlTx['run'];
  /**
   * Calls the listener after each commit of this process that announced the topic. A listener that throws is reported
   * and stops no other. @returns the way to stop
   */
  follow: (topic: Topic, listener: (subject: string) => void) => () => void;
  /**
   * Writes the log back into the database and empties it, so that nothing that was overwritten or deleted can be read
   * from the log. Calls that meet share one. While another process reads an older state, it is repeated in the
   * background until it succeeds.
   */
  truncateLog(): Promise<void>;
  /** Whether a page that cannot be read was met since it was opened. What does not need the page goes on. */
  isDamaged(): boolean;
  close(): Promise<void>;
};

export const STORE_ERRORS = [
  'database_from_the_future',
  'database_damaged',
  'database_key_missing',
  'database_key_unsafe',
  'database_not_writable',
  'database_busy',
  'database_full',
] as const;
export type StoreErrorCode = (typeof STORE_ERRORS)[number];

/** A failure of the database itself, with words an operator can act on. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

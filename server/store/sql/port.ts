import type { Secrets } from './sealed-columns.ts';

/** The values that a statement binds. Booleans are stored as 0 and 1, times as epoch milliseconds, JSON as text. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * The SQL port. Statements bind `?` in order, and both engines accept them unchanged; `docs/explanation/store.md` lists the
 * portable SQL. Each driver handles placeholders, letter case of columns, types and errors.
 */
export type SqlReader = {
  /** Seals the values that a statement stores in a secret column, and opens those that it reads. */
  readonly secrets: Secrets;
  all: <T>(sql: string, ...params: SqlValue[]) => Promise<T[]>;
  one: <T>(sql: string, ...params: SqlValue[]) => Promise<T | undefined>;
};

/**
 * Topics that a process can follow. An announcement without a subject is about all subjects of its topic.
 *
 * - `webhooks`: a call to send, by the company's ID; `decisions`: a reviewer's decision that takes effect later
 * - `codes`: phone codes to send or to read out, by the company's ID; without one for a person's own page
 * - `tickets`: something that a source of tickets has to be told
 * - `badges`: something that a kiosk has to print, by the company's ID
 * - `health`: what the service's health depends on
 * - `session`: a session, by its ID, and by the company's ID; or several of a company, by its ID
 * - `audit`: whatever is recorded in the audit log, and so every act of a person, by the company's ID; without one if it
 *   concerns the installation
 * - `attempt`: attempts to send calls; `usage`: the day's settlements and their cap; `case`: review cases; `venue`: kiosks,
 *   events and entries. Each by the company's ID
 * - `maintenance`: switched or planned
 */
export const TOPICS = [
  'webhooks',
  'codes',
  'decisions',
  'tickets',
  'badges',
  'health',
  'session',
  'audit',
  'attempt',
  'usage',
  'case',
  'venue',
  'maintenance',
] as const;
export type Topic = (typeof TOPICS)[number];
/** A subject that no announcement names: who follows it is told only what concerns the whole installation. */
export const INSTALLATION = 'installation';
/**
 * @param isNews false for the slow look, at which usually nothing has changed
 * @param page the page whose request made the change and whose reply shows it, see `fromPage`
 */
export type Listener = (isNews: boolean, page?: string) => void;

export type SqlTx = SqlReader & {
  /** Number of rows changed. */
  run: (sql: string, ...params: SqlValue[]) => Promise<number>;
  /**
   * Announces the topic to its followers once this transaction's commit is durable, and never after a rollback. The
   * same subject is announced once per commit. The function that writes the row calls it, so that no caller has to.
   */
  afterCommit: (topic: Topic, subject?: string) => void;
  /** Whether this transaction excludes the company's others; for null, all others of the installation. */
  covers: (companyId: string | null) => boolean;
};

/**
 * What a transaction excludes. By default every other transaction of the installation, which is always correct. With a
 * company, only that company's others. Add keys only for what companies share (a phone number, a sign-in name).
 * Without a company (null), only those with the same keys: enough for statements that claim rows with `FOR UPDATE SKIP
 * LOCKED`.
 */
export type Lock = { companyId: string | null; keys?: readonly string[] };

/**
 * Which companies a transaction under this lock covers. Both drivers share it, so that a test on either finds a
 * mistake.
 */
export const coveredBy =
  (lock: Lock | undefined): SqlTx['covers'] =>
  (companyId) =>
    lock === undefined || (lock.companyId !== null && lock.companyId === companyId);

/**
 * For writers of numbers that others read up to: a lower number must never be committed after a higher one.
 * @throws Error if the transaction does not exclude the company's others
 */
export function needLock(tx: Pick<SqlTx, 'covers'>, companyId: string | null): void {
  if (!tx.covers(companyId))
    throw new Error(`This transaction does not hold the lock of ${companyId ?? 'the installation'}.`);
}

export type Engine = 'sqlite' | 'postgres';

export type Database = SqlReader & {
  readonly engine: Engine;
  /**
   * Runs `work` atomically and exclusively within its lock; resolves after the commit is durable. `work` awaits
   * nothing except the statements of its `tx`, which is enforced, and may run again if the engine ended the first
   * attempt, so it changes nothing outside. A throw rolls back its own changes and no other transaction's.
   * @param mayWait for a copy between two databases that nothing else uses
   * @throws UniqueViolation, StoreError
   */
  tx<T>(work: (tx: SqlTx) => Promise<T>, lock?: Lock, mayWait?: 'may-wait'): Promise<T>;
  /**
   * One statement as a separate transaction, cheaper than `tx`. It takes no lock, so its own condition must decide a
   * race. Resolves after the commit is durable, with the number of rows changed.
   */
  write: SqlTx['run'];
  /** What `afterCommit` is to `tx`: call it after `write` has resolved. */
  announce: SqlTx['afterCommit'];
  /**
   * Calls the listener after each commit that announced the topic, or only the subject if one is given: of this
   * process and, on PostgreSQL, of every other node. Every listener is called after a commit of another process on
   * SQLite, after an interruption of the line to PostgreSQL, and at the slow look every `SLOW_LOOK_MS`, because
   * announcements may have been missed. So nothing that is announced needs a poll of its own. A listener that throws is
   * reported and does not stop others.
   * @returns a function that stops following
   */
  follow: (topic: Topic, listener: Listener, subject?: string) => () => void;
  /**
   * Writes the log back into the database and empties it, so that overwritten or deleted data cannot be read from the
   * log. Concurrent calls share one run. While another process reads an older state, it is repeated in the background
   * until it succeeds. PostgreSQL recycles its own log, so this does nothing there.
   */
  truncateLog(): Promise<void>;
  /**
   * Whether an unreadable page was found since the database was opened, or the disk failed to store a commit. Statements
   * that do not need that page still work; after a failed commit, reads do.
   */
  isDamaged(): boolean;
  /**
   * Whether a write failed because the disk is full or read-only, and none has succeeded since; after a relapse, whether
   * none has failed for a while either. The service’s clock writes every 15 seconds, so this ends after there is space
   * again.
   */
  refusesWrites(): boolean;
  /**
   * Called when the service begins to stop. If the database does not answer within moments, everything that waits for it
   * fails, and so does all that follows: otherwise each part would wait for it in turn.
   */
  giveUpIfSilent(): Promise<void>;
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
  'database_unreachable',
  'database_encoding',
] as const;
export type StoreErrorCode = (typeof STORE_ERRORS)[number];

/** A failure of the database itself, with a message that an operator can act on. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** The file that failed, if one did. */
  readonly file: string | null;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions & { file?: string }) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
    this.file = options?.file ?? null;
  }
}

/** A unique constraint refused the change: the row already exists, or another transaction won the race. */
export class UniqueViolation extends Error {
  /** The index's name, or `<table>_pkey` and `<table>_<columns>_key` for unnamed constraints. */
  readonly constraint: string;
  constructor(constraint: string, options?: ErrorOptions) {
    super(`The unique constraint ${constraint} refused the change.`, options);
    this.name = 'UniqueViolation';
    this.constraint = constraint;
  }
}

export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  error instanceof UniqueViolation && error.constraint === constraint;

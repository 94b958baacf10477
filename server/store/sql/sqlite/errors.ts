import type Sqlite from 'better-sqlite3';
import { StoreError, UniqueViolation } from '../port.ts';

function sqliteCode(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

const UNIQUE = new Set([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_ROWID',
]);

/** SQLite names the columns of a unique constraint, or an index over expressions; the port names the constraint. */
export function asUniqueViolation(error: unknown, connection: Sqlite.Database): unknown {
  if (!(error instanceof Error) || !UNIQUE.has(sqliteCode(error))) return error;
  const subject = error.message.replace('UNIQUE constraint failed: ', '');
  const named = /^index '(.+)'$/.exec(subject)?.[1];
  return new UniqueViolation(named ?? constraintOn(subject.split(', '), connection), { cause: error });
}

function constraintOn(places: readonly string[], connection: Sqlite.Database): string {
  const table = places[0]?.split('.')[0] ?? '';
  const columns = places.map((place) => place.split('.')[1] ?? '');
  const indexes = connection.pragma(`index_list(${table})`) as {
    name: string;
    unique: number;
    origin: string;
  }[];
  const isOver = ({ name }: { name: string }) => {
    const known = connection.pragma(`index_info(${name})`) as { name: string }[];
    return known.map((column) => column.name).join() === columns.join();
  };
  const index = indexes.find((each) => each.unique === 1 && isOver(each));
  // An integer primary key has no index.
  if (index === undefined || index.origin === 'pk') return `${table}_pkey`;
  return index.origin === 'c' ? index.name : `${table}_${columns.join('_')}_key`;
}

export function isBusyError(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_BUSY');
}

/** Pages that cannot be read, or not as they were written. */
const DAMAGE = new Set([
  'SQLITE_NOTADB',
  'SQLITE_IOERR_READ',
  'SQLITE_IOERR_SHORT_READ',
  'SQLITE_IOERR_DATA',
  'SQLITE_IOERR_CORRUPTFS',
]);

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return DAMAGE.has(code) || code.startsWith('SQLITE_CORRUPT');
}

/** The last is the index of the log, which could not grow. */
const FULL = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE']);

/** Turns the driver's failures of the file or disk into `StoreError`s; anything else passes through unchanged. */
export function explainSqliteError(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  const cause = { cause: error, file: path };
  if (isDamage(error)) {
    return new StoreError(
      'database_damaged',
      `The database ${path} is damaged or does not belong to its key file. Restore both from the same backup.`,
      cause,
    );
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || code === 'SQLITE_PERM') {
    return new StoreError(
      'database_not_writable',
      `The database ${path} cannot be written. Check the permissions of its folder, and that the disk is not read-only.`,
      cause,
    );
  }
  if (FULL.has(code)) {
    return new StoreError('database_full', `The disk that holds ${path} is full. Free some space.`, cause);
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new StoreError('database_busy', `Another process locked ${path} for too long.`, cause);
  }
  return error;
}

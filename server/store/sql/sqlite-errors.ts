import { StoreError } from './port.ts';

function sqliteCode(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** A unique or check constraint refused the change: the race that it closes was lost, or the row is not legal. */
export function isConstraintError(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_CONSTRAINT');
}

export function isBusyError(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_BUSY');
}

/** Pages that cannot be read back, or not as they were written. */
const DAMAGE = new Set([
  'SQLITE_NOTADB',
  'SQLITE_IOERR_READ',
  'SQLITE_IOERR_SHORT_READ',
  'SQLITE_IOERR_DATA',
  'SQLITE_IOERR_CORRUPTFS',
]);

/** Turns the driver's failures of the file or disk into `StoreError`s; anything else passes through unchanged. */
export function explainSqliteError(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  const cause = { cause: error };
  if (DAMAGE.has(code) || code.startsWith('SQLITE_CORRUPT')) {
    return new StoreError(
      'database_damaged',
      `The database ${path} is damaged or does not belong to its key file. Restore both from the same backup.`,
      cause,
    );
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || code === 'SQLITE_PERM') {
    return new StoreError(
      'database_not_writable',
      `The database ${path} cannot be written. Check the rights of its folder and that the disk is not read-only.`,
      cause,
    );
  }
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE') {
    return new StoreError('database_full', `The disk that holds ${path} is full. Free some room.`, cause);
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new StoreError('database_busy', `Another process has kept ${path} locked for too long.`, cause);
  }
  return error;
}

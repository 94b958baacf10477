/** Locks between processes: SQLite locks on empty files, which the system releases when a process dies. */
import Sqlite from 'better-sqlite3';
import { createForOwner } from '../owner-only.ts';
import { isBusyError } from './errors.ts';

/** @param patienceMs time that `hold` waits for another process */
export function connectLock(file: string, patienceMs: number): Sqlite.Database {
  createForOwner(file);
  return new Sqlite(file, { timeout: patienceMs });
}

/** Takes the lock, shared or alone. @throws if another process has it for too long */
export function hold(connection: Sqlite.Database, begin: 'BEGIN' | 'BEGIN EXCLUSIVE'): void {
  connection.pragma('journal_mode = MEMORY');
  connection.exec(begin);
  // A plain transaction takes its lock at the first read.
  connection.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
}

/** Whether the connection gets the lock at once. */
export function takes(connection: Sqlite.Database, begin: 'BEGIN' | 'BEGIN EXCLUSIVE'): boolean {
  const patienceMs = connection.pragma('busy_timeout', { simple: true }) as number;
  connection.pragma('busy_timeout = 0');
  try {
    hold(connection, begin);
    return true;
  } catch (error) {
    if (!isBusyError(error)) throw error;
    // A plain transaction has begun even though its read was refused.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    return false;
  } finally {
    connection.pragma(`busy_timeout = ${patienceMs}`);
  }
}

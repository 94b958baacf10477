/**
 * Who uses a data folder: everything that opens the database shares the lock, and what replaces files in it needs it
 * alone. It is SQLite's own lock on an empty file, which the system gives back when a process dies, however it dies.
 */
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { ConfigError } from '../config.ts';
import { createForOwner } from '../store/sql/owner-only.ts';
import { isBusyError } from '../store/sql/sqlite-errors.ts';

const FILE = 'gatehouse.lock';
/** A replacement of files takes this long at most; whoever starts meanwhile waits. */
const PATIENCE_MS = 2_000;

export type DataLock = { release(): void };

/** @throws ConfigError while another process replaces the data */
export function shareDataDir(dataDir: string): DataLock {
  return take(
    dataDir,
    'BEGIN',
    `The data in ${dataDir} is being restored or moved by another process. Try again when it is done.`,
  );
}

/** @throws ConfigError while a server or a command is using the data */
export function ownDataDir(dataDir: string): DataLock {
  return take(
    dataDir,
    'BEGIN EXCLUSIVE',
    `Gatehouse is running on ${dataDir}. Stop it (or quit the app), then try again.`,
  );
}

function take(dataDir: string, begin: string, refusal: string): DataLock {
  const file = path.join(dataDir, FILE);
  createForOwner(file);
  const connection = new Sqlite(file, { timeout: PATIENCE_MS });
  try {
    connection.pragma('journal_mode = MEMORY');
    connection.exec(begin);
    // A plain transaction takes its lock at the first read.
    connection.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    throw isBusyError(error) ? new ConfigError(refusal) : error;
  }
}

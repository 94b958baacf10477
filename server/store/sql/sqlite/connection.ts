/** Connections to the encrypted SQLite file. */
import Sqlite from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../port.ts';
import { isBusyError } from './errors.ts';

/** Page-by-page authenticated encryption (SQLite3 Multiple Ciphers). */
const CIPHER = 'aegis';
/** How long another process (the command line) may hold the write lock before a transaction gives up. */
export const LOCK_PATIENCE_MS = 10_000;
/** The driver's own wait blocks the event loop, so it is short and the longer wait is ours. */
const DRIVER_BUSY_MS = 20;
/** Cache of decrypted pages: 32 MiB for each connection. */
const CACHE_KIB = 32 * 1024;

/** @throws the driver's error, also where the key is wrong */
export async function connectSqlite(path: string, key: Uint8Array): Promise<Sqlite.Database> {
  const connection = new Sqlite(path, { timeout: DRIVER_BUSY_MS });
  try {
    // Another process may be making the same database right now.
    await withPatience(() => {
      configure(connection, key);
    });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function configure(connection: Sqlite.Database, key: Uint8Array): void {
  unlock(connection, key);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  // Deleted content is overwritten with zeros, also in pages that fall free.
  connection.pragma('secure_delete = ON');
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  connection.pragma('foreign_keys = ON');
  connection.pragma('trusted_schema = OFF');
}

/** Must be the first thing that happens on a connection. A wrong key shows at the first read. */
export function unlock(connection: Sqlite.Database, key: Uint8Array): void {
  connection.pragma(`cipher = '${CIPHER}'`);
  connection.pragma(`key = '${keyText(key)}'`);
  // SQLite encrypts no temporary files: sorting and VACUUM would leave rows readable in the system's folder for them.
  connection.pragma('temp_store = MEMORY');
}

/** Rewrites every page with another key, or unencrypted for an empty one. The database must not be in WAL mode. */
export function rekey(connection: Sqlite.Database, key: Uint8Array): void {
  connection.pragma(`rekey = '${key.length === 0 ? '' : keyText(key)}'`);
}

const keyText = (key: Uint8Array): string => `raw:${Buffer.from(key).toString('hex')}`;

/** @throws StoreError `database_damaged` */
export function quickCheck(connection: Sqlite.Database, path: string): void {
  const verdict = connection.pragma('quick_check(1)', { simple: true });
  if (verdict !== 'ok') {
    throw new StoreError(
      'database_damaged',
      `The database ${path} is damaged (${String(verdict)}). Restore a backup.`,
    );
  }
}

/** Retries while another process holds the lock, without blocking the event loop. */
export async function withPatience<T>(step: () => T): Promise<T> {
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (!isBusyError(error) || Date.now() >= deadline) throw error;
      await sleep(5 + Math.random() * 20);
    }
  }
}

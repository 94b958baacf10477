import type Sqlite from 'better-sqlite3';

/** Page-by-page authenticated encryption (SQLite3 Multiple Ciphers). */
const CIPHER = 'aegis';

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

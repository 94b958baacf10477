/** Every byte of an encrypted database unencrypted, including free pages and free space within pages. */
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { rekey, unlock } from '../../server/store/sql/sqlite-connection.ts';
import { tempDir } from './temp-store.ts';

/** Pages of the database file alone, in a copy, without its log. */
export function plainPages(file: { path: string; key: Uint8Array }): Buffer {
  const copy = path.join(tempDir(), 'plain.db');
  copyFileSync(file.path, copy);
  const connection = new Sqlite(copy);
  try {
    unlock(connection, file.key);
    connection.pragma('journal_mode = DELETE');
    rekey(connection, new Uint8Array());
  } finally {
    connection.close();
  }
  return readFileSync(copy);
}

/** How often a text occurs in the bytes, and the context of its first occurrence. */
export function tracesOf(pages: Buffer, text: string): string[] {
  const found: string[] = [];
  for (let at = pages.indexOf(text); at !== -1; at = pages.indexOf(text, at + 1)) {
    found.push(`page ${Math.floor(at / 4096) + 1}: ${pages.subarray(at - 40, at + 60).toString('latin1')}`);
  }
  return found;
}

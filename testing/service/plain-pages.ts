/** Every byte of an encrypted database in the clear, free pages and free space within pages included. */
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { rekey, unlock } from '../../server/store/sql/sqlite-connection.ts';
import { tempDir } from './temp-store.ts';

/** Pages of the database file alone, in a copy: what a log beside it holds is not in it. */
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

/** How often a text is in the bytes, and what stands around its first place. */
export function tracesOf(pages: Buffer, text: string): string[] {
  const found: string[] = [];
  for (let at = pages.indexOf(text); at !== -1; at = pages.indexOf(text, at + 1)) {
    found.push(`page ${Math.floor(at / 4096) + 1}: ${pages.subarray(at - 40, at + 60).toString('latin1')}`);
  }
  return found;
}

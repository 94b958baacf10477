/** Databases for tests: each in a folder of its own that goes with the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Database } from '../../server/store/sql/port.ts';
import { openSqlite, type SqliteOptions } from '../../server/store/sql/sqlite.ts';

/** A new folder, removed when the running test ends. */
export function tempDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'gatehouse-test-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

export const storePaths = (dir: string): SqliteOptions => ({
  path: path.join(dir, 'gatehouse.db'),
  keyPath: path.join(dir, 'gatehouse.key'),
});

/** Opens the database of a folder (a new one by default) and closes it when the running test ends. */
export async function openTempStore(dir = tempDir()): Promise<Database> {
  const db = await openSqlite(storePaths(dir));
  onTestFinished(() => db.close());
  return db;
}

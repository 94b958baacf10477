/** Databases for tests, each in a folder of its own that is removed with the test. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import Sqlite from 'better-sqlite3';
import type { Database, Engine, SqlReader } from '../../server/store/sql/port.ts';
import { openPostgres } from '../../server/store/sql/postgres/driver.ts';
import { openSqlite, type SqliteOptions } from '../../server/store/sql/sqlite/driver.ts';
import { leaseDatabase } from '../postgres/lease.ts';
import { testKeys } from '../postgres/server.ts';
import { rekey, unlock } from '../../server/store/sql/sqlite/connection.ts';

/** Tests that run on both engines run on this one. */
export const testEngine: Engine = process.env['GATEHOUSE_TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';
export const onSqlite = testEngine === 'sqlite';
/** Small, so that a transaction that waits for a second connection is noticed. */
const POOL_SIZE = 3;

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
  const db =
    testEngine === 'postgres'
      ? await openPostgres({ url: await leaseDatabase(dir), keys: testKeys, poolSize: POOL_SIZE })
      : await openTempSqlite(storePaths(dir));
  onTestFinished(() => db.close());
  return db;
}

/**
 * A new database is a copy of one that was migrated once, because migrating each took most of the time of the unit
 * tests.
 */
async function openTempSqlite(paths: SqliteOptions): Promise<Database> {
  if (!existsSync(paths.path) && !existsSync(paths.keyPath)) {
    const template = await (migrated ??= migrateTemplate());
    writeFileSync(paths.keyPath, template.key, { mode: 0o600 });
    writeFileSync(paths.path, template.database, { mode: 0o600 });
  }
  return openSqlite(paths);
}

type Template = { database: Buffer; key: Buffer };
let migrated: Promise<Template> | undefined;

/** An empty database of the current schema. Only in memory, because a worker that is killed would leave its folder. */
async function migrateTemplate(): Promise<Template> {
  const dir = mkdtempSync(path.join(tmpdir(), 'gatehouse-template-'));
  try {
    const paths = storePaths(dir);
    await (await openSqlite(paths)).close();
    return { database: readFileSync(paths.path), key: readFileSync(paths.keyPath) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Names of all tables. */
export async function tableNames(db: SqlReader): Promise<string[]> {
  const rows = await db.all<{ name: string }>(
    onSqlite
      ? `SELECT name FROM sqlite_schema WHERE type = 'table'`
      : `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  return rows.map(({ name }) => name);
}

// Every byte of an encrypted database unencrypted, including free pages and free space within pages.

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

/**
 * A copy of the whole database at one moment, in a separate file. It contains the rows of the tables and nothing that
 * was deleted, because `VACUUM INTO` writes rows, not pages. All of this blocks its thread.
 */
import Sqlite from 'better-sqlite3';
import { verifyAudit } from '../operators/audit.ts';
import type { SqlReader, SqlValue } from '../sql/port.ts';
import { UNSEALED } from '../sql/secrets.ts';
import { explainSqliteError, isDamage } from '../sql/sqlite/errors.ts';
import { clearMark } from '../sql/sqlite/durable-mark.ts';
import { LOCK_PATIENCE_MS, rekey, unlock } from '../sql/sqlite/connection.ts';

type EncryptedFile = { path: string; key: Uint8Array };

/** The contents of a database, for comparison. */
export type Contents = { schemaVersion: number; rows: Record<string, number>; auditEntries: number };

/** Of the pragma `auto_vacuum`. */
const INCREMENTAL = 2;

/**
 * Copies `source`, even under load, to `copy`, which must not exist. Leaves out the rows of the face index, and the faces
 * that the replay memory keeps for a day.
 * @throws StoreError
 */
export function takeSnapshot(source: EncryptedFile, copy: EncryptedFile): void {
  withConnection(source, (connection) => {
    // Sets the mode of the copy, which can then give back pages without another VACUUM. A restored source already has this
    // mode and passes it on; setting it again would wait for writers.
    if (connection.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL)
      connection.pragma('auto_vacuum = INCREMENTAL');
    try {
      connection.prepare('VACUUM INTO ?').run(copy.path);
    } catch (error) {
      // The source is only read here, so a full disk is that of the copy.
      throw isDamage(error) ? error : explainSqliteError(error, copy.path);
    }
  });
  // Up to here, the copy has its source's key.
  const copied = { path: copy.path, key: source.key };
  removeFaces(copied);
  changeKey(copied, copy.key);
}

/** Bytes that `takeSnapshot` certainly writes. @throws StoreError */
export function sizeOfSnapshot(source: EncryptedFile): number {
  return withConnection(source, (connection) => {
    const pragma = (name: string) => Number(connection.pragma(name, { simple: true }));
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  });
}

/** Computed again from the templates, or kept for a day: a backup needs no second form of a face. */
const FACE_TABLES = ['face_rows', 'seen_face_parts', 'seen_faces', 'seen_face_keys'] as const;

function removeFaces(copy: EncryptedFile): void {
  withConnection(copy, (connection) => {
    connection.pragma('secure_delete = ON');
    for (const table of FACE_TABLES) {
      // A database that is about to be migrated may not have the table yet.
      if (connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined)
        connection.exec(`DELETE FROM ${table}`);
    }
    connection.pragma('incremental_vacuum');
  });
}

/**
 * Encrypts a snapshot with another key.
 * @throws StoreError
 */
export function changeKey(file: EncryptedFile, key: Uint8Array): void {
  withConnection(file, (connection) => {
    connection.pragma('journal_mode = DELETE');
    rekey(connection, key);
  });
}

/**
 * Version of the schema, even if newer than this Gatehouse.
 * @throws StoreError
 */
export function schemaVersionOf(file: EncryptedFile): number {
  return withConnection(file, (connection) => Number(connection.pragma('user_version', { simple: true })));
}

/**
 * One setting of a database that is not open.
 * @throws StoreError
 */
export function settingOf(file: EncryptedFile, name: string): unknown {
  return withConnection(file, (connection) => {
    const row = connection.prepare('SELECT value FROM settings WHERE name = ?').get(name) as
      | { value: string }
      | undefined;
    return row === undefined ? null : (JSON.parse(row.value) as unknown);
  });
}

/**
 * Reads from a database without changing its schema.
 * @throws StoreError
 */
export async function readWithin<T>(
  file: EncryptedFile,
  work: (reader: SqlReader) => Promise<T>,
): Promise<T> {
  const connection = connect(file);
  try {
    return await work(readerOf(connection));
  } catch (error) {
    throw explainSqliteError(error, file.path);
  } finally {
    connection.close();
  }
}

/**
 * Reads every page, index and audit entry.
 * @throws StoreError or Error that says what is wrong
 */
export async function inspectSnapshot(file: EncryptedFile): Promise<Contents> {
  return readWithin(file, async (db) => {
    const verdict = await db.one<{ integrity_check: string }>('PRAGMA integrity_check(1)');
    if (verdict?.integrity_check !== 'ok')
      throw new Error(`The database is damaged (${verdict?.integrity_check ?? 'no verdict'}).`);
    const version = await db.one<{ user_version: number }>('PRAGMA user_version');
    const schemaVersion = version?.user_version ?? 0;
    const audit = await verifyAudit(db, schemaVersion);
    if (audit.brokenAt !== null) throw new Error(`The audit log is broken at entry ${audit.brokenAt}.`);
    return {
      schemaVersion,
      rows: await countRows(db),
      auditEntries: audit.entries,
    };
  });
}

async function countRows(db: SqlReader): Promise<Record<string, number>> {
  const tables = await db.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name`,
  );
  const rows: Record<string, number> = {};
  for (const { name } of tables) {
    rows[name] = (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM "${name}"`))?.n ?? 0;
  }
  return rows;
}

const readerOf = (connection: Sqlite.Database): SqlReader => ({
  secrets: UNSEALED,
  all: async <T>(sql: string, ...params: SqlValue[]) => connection.prepare(sql).all(...params) as T[],
  one: async <T>(sql: string, ...params: SqlValue[]) =>
    connection.prepare(sql).get(...params) as T | undefined,
});

function connect({ path, key }: EncryptedFile): Sqlite.Database {
  clearMark(path);
  const connection = new Sqlite(path, { timeout: LOCK_PATIENCE_MS, fileMustExist: true });
  try {
    unlock(connection, key);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function withConnection<T>(file: EncryptedFile, work: (connection: Sqlite.Database) => T): T {
  let connection: Sqlite.Database | undefined;
  try {
    connection = connect(file);
    return work(connection);
  } catch (error) {
    throw explainSqliteError(error, file.path);
  } finally {
    connection?.close();
  }
}

/** Brings the schema of either engine to the version of this Gatehouse. */
import type Sqlite from 'better-sqlite3';
import type pg from 'pg';
import { MIGRATIONS, SCHEMA_VERSION } from '../schema/migrations.ts';
import { StoreError } from './port.ts';
import { SQLITE_FUNCTIONS, toPostgresSchema } from './postgres/dialect.ts';

/** The schema version of a database that `migrate` would change; null for a new one and one that is up to date. */
export function pendingMigration(connection: Sqlite.Database): number | null {
  const version = Number(connection.pragma('user_version', { simple: true }));
  return version > 0 && version < SCHEMA_VERSION ? version : null;
}

const futureSchema = (version: number): StoreError =>
  new StoreError(
    'database_from_the_future',
    `This database was written by a newer Gatehouse (schema ${version}; this one supports up to ${SCHEMA_VERSION}). ` +
      'Install that version, or restore a backup made by this one.',
  );

/**
 * Migrates the schema to the newest version, inside one transaction.
 * @throws StoreError `database_from_the_future` if a newer Gatehouse made the database
 */
export function migrate(connection: Sqlite.Database): void {
  const version = () => Number(connection.pragma('user_version', { simple: true }));
  if (version() > SCHEMA_VERSION) throw futureSchema(version());
  if (version() === SCHEMA_VERSION) return;
  connection
    .transaction(() => {
      for (const migration of MIGRATIONS) {
        if (migration.version <= version()) continue;
        connection.exec(migration.sql);
        migration.fill?.(connection);
        connection.pragma(`user_version = ${migration.version}`);
      }
    })
    .immediate();
}

/** How far `SEALED_LATER` is: 0 plain, 1 begun, 2 complete. */
const SEALING_COLUMNS = `ALTER TABLE schema_version ADD COLUMN IF NOT EXISTS sealing integer NOT NULL DEFAULT 0;
  ALTER TABLE schema_version ADD COLUMN IF NOT EXISTS sealing_since bigint`;

/**
 * Databases on PostgreSQL are created at this version or a later one, so data of older ones is never converted there.
 */
const FIRST_VERSION = 27;

/**
 * Migrates the schema to the newest version, inside one transaction. Of several nodes that start at the same time, one
 * migrates.
 * @param beforeMigration receives the older version, or 0 for an empty database
 * @throws StoreError `database_from_the_future` if a newer Gatehouse made the database
 */
export async function migratePostgres(
  client: pg.Client,
  beforeMigration: (schemaVersion: number) => void = () => undefined,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('gatehouse/schema', 0))`);
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
    await client.query(SEALING_COLUMNS);
    const known = await client.query<{ version: number }>('SELECT version FROM schema_version');
    const version = known.rows[0]?.version ?? 0;
    if (version > SCHEMA_VERSION) throw futureSchema(version);
    if (version < SCHEMA_VERSION) beforeMigration(version);
    if (version === 0) {
      await client.query(SQLITE_FUNCTIONS);
      // Nobody has ever stored anything here that is not sealed.
      await client.query('INSERT INTO schema_version (version, sealing) VALUES (0, 2)');
    }
    for (const migration of MIGRATIONS.filter((each) => each.version > version)) {
      if (migration.fill !== undefined && migration.version > FIRST_VERSION)
        throw new Error(
          `Migration ${migration.version} needs the SQLite driver, which PostgreSQL does not have.`,
        );
      await client.query(toPostgresSchema(migration.sql));
    }
    await client.query('UPDATE schema_version SET version = $1', [SCHEMA_VERSION]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

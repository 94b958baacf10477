import type pg from 'pg';
import { SQLITE_FUNCTIONS, toPostgresSchema } from '../sql/postgres-dialect.ts';
import { futureSchema, MIGRATIONS, SCHEMA_VERSION } from './migrate.ts';

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
    const known = await client.query<{ version: number }>('SELECT version FROM schema_version');
    const version = known.rows[0]?.version ?? 0;
    if (version > SCHEMA_VERSION) throw futureSchema(version);
    if (version < SCHEMA_VERSION) beforeMigration(version);
    if (version === 0) {
      await client.query(SQLITE_FUNCTIONS);
      await client.query('INSERT INTO schema_version VALUES (0)');
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

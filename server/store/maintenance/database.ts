import type { Database } from '../sql/port.ts';

const READ = {
  sqlite: `SELECT sqlite_version() AS version, page_count * page_size AS bytes
    FROM pragma_page_count(), pragma_page_size()`,
  postgres: `SELECT current_setting('server_version') AS version,
    pg_database_size(current_database()) AS bytes`,
} as const;

/** The version of the engine and the size of the database, without its log. */
export async function readDatabase(
  db: Pick<Database, 'engine' | 'one'>,
): Promise<{ version: string; bytes: number }> {
  const row = await db.one<{ version: string; bytes: number }>(READ[db.engine]);
  if (!row) throw new Error('The database did not tell its version.');
  return row;
}

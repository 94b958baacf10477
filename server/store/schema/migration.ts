import type Sqlite from 'better-sqlite3';

/** One numbered step of the schema. A released version is never edited, only followed by another. */
export type Migration = {
  version: number;
  name: string;
  sql: string;
  /** Converts data that SQL alone cannot, in the same transaction, after `sql`. */
  fill?: (connection: Sqlite.Database) => void;
};

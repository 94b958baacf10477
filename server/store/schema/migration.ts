import type Sqlite from 'better-sqlite3';

/** One numbered step of the schema. A version once released is never edited, only followed. */
export type Migration = {
  version: number;
  name: string;
  sql: string;
  /** Fills what SQL alone cannot, in the same transaction, after `sql`. */
  fill?: (connection: Sqlite.Database) => void;
};

import type { Migration } from './migration.ts';

/** Addresses that each node listens on, for admins of several nodes. */
export const nodeAddresses: Migration = {
  version: 32,
  name: 'node addresses',
  sql: `
-- A JSON array.
ALTER TABLE nodes ADD COLUMN addresses TEXT NOT NULL DEFAULT '[]';
`,
};

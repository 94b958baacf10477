import type { Migration } from './migration.ts';

/** Where each node listens, for admins who look after several. */
export const nodeAddresses: Migration = {
  version: 32,
  name: 'node addresses',
  sql: `
-- A JSON array.
ALTER TABLE nodes ADD COLUMN addresses TEXT NOT NULL DEFAULT '[]';
`,
};

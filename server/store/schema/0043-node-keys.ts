import type { Migration } from './migration.ts';

/** A node may seal with a key only if every other running node can open what it seals. */
export const nodeKeys: Migration = {
  version: 43,
  name: 'node keys',
  sql: `
-- A JSON array of the IDs of all its keys. Empty on a node of an earlier version.
ALTER TABLE nodes ADD COLUMN key_ids TEXT NOT NULL DEFAULT '[]';
`,
};

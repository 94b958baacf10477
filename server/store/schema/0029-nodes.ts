import type { Migration } from './migration.ts';

/** The nodes that serve one installation, and the keys that its sealed columns use. Both stay empty on SQLite. */
export const nodes: Migration = {
  version: 29,
  name: 'nodes',
  sql: `
CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  -- Of the machine.
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  -- The key that the node seals with, by its id.
  key_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('serving', 'draining')),
  is_leader INTEGER NOT NULL CHECK (is_leader IN (0, 1)),
  -- Changes of faces that the node's index has not read yet.
  index_lag INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;

CREATE TABLE secret_keys (
  id TEXT PRIMARY KEY
) STRICT;
`,
};

import type { Migration } from './migration.ts';

/** One-time links that move a run from a browser without a camera to another one. */
export const continuations: Migration = {
  version: 26,
  name: 'continuations',
  sql: `
CREATE TABLE continuations (
  code_hash BLOB PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- The flow token of the browser that offered the link, and of the one that took it.
  from_token_hash BLOB NOT NULL,
  to_token_hash BLOB,
  resume_key_hash BLOB,
  offered_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  taken_at INTEGER
) STRICT;
CREATE INDEX continuations_from ON continuations (session_id, from_token_hash);
`,
};

import type { Migration } from './migration.ts';

/** Operators of an identity provider, and the sessions that it opened. */
export const singleSignOn: Migration = {
  version: 56,
  name: 'single sign-on',
  sql: `
-- Found by the hash of issuer and subject, which are sealed with their operator.
CREATE TABLE operator_identities (
  operator_id TEXT PRIMARY KEY REFERENCES operators (id) ON DELETE CASCADE,
  subject_hash BLOB NOT NULL UNIQUE,
  subject TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Where the provider signs out; empty if it has no such place, null if it didn't open the session.
ALTER TABLE operator_sessions ADD COLUMN provider TEXT;
`,
};

import type { Migration } from './migration.ts';

/** Operators' passkeys, and the challenges that browsers still have to answer. */
export const passkeys: Migration = {
  version: 52,
  name: 'passkeys',
  sql: `
-- public_key is sealed with its operator, so that nobody with access to the database can give theirs to another.
CREATE TABLE operator_passkeys (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL UNIQUE,
  rp_id TEXT NOT NULL,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX operator_passkeys_operator ON operator_passkeys (operator_id);

-- Without an operator: of a sign-in. Each is deleted by its first answer.
CREATE TABLE passkey_challenges (
  challenge_hash BLOB PRIMARY KEY,
  operator_id TEXT REFERENCES operators (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX passkey_challenges_end ON passkey_challenges (expires_at);
`,
};

import type { Migration } from './migration.ts';

/** Replies to calls with an `Idempotency-Key`, so that a repeated call gets the same one. */
export const idempotencyKeys: Migration = {
  version: 45,
  name: 'idempotency keys',
  sql: `
-- id: a hash of the key family, the operation and the key. fingerprint: a hash of the key and what was sent with it.
CREATE TABLE idempotency_keys (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  fingerprint BLOB NOT NULL,
  reply TEXT NOT NULL,
  -- The session, invite or pass that the call made or changed. An erased person's replies are found by it.
  subject_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX idempotency_keys_subject ON idempotency_keys (subject_id);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
`,
};

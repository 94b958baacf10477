import type { Migration } from './migration.ts';

/**
 * Limits of use without a key. `rate_hits` stores allowed hits, by second, so that a restart does not reset them; its
 * subject is a hash. `unopened_since` marks sessions that were created without a secret key and that nobody has opened
 * yet; null for all others.
 */
export const limits: Migration = {
  version: 22,
  name: 'limits',
  sql: `
CREATE TABLE rate_hits (
  subject BLOB NOT NULL,
  at INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (subject, at)
) STRICT, WITHOUT ROWID;

ALTER TABLE sessions ADD COLUMN unopened_since INTEGER;
CREATE INDEX sessions_unopened ON sessions (company_id, partition, unopened_since, id)
  WHERE unopened_since IS NOT NULL AND state = 'open';
`,
};

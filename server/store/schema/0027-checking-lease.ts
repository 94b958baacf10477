import type { Migration } from './migration.ts';

/** The capture that a session is being judged by, and when its lease expires if the process is killed. */
export const checkingLease: Migration = {
  version: 27,
  name: 'checking lease',
  sql: `
-- The nonce of the capture, hashed, and epoch milliseconds; null where nothing is being judged.
ALTER TABLE sessions ADD COLUMN checking_nonce BLOB;
ALTER TABLE sessions ADD COLUMN checking_until INTEGER;
CREATE INDEX sessions_checking ON sessions (checking_until) WHERE checking_until IS NOT NULL;
`,
};

import type { Migration } from './migration.ts';

/** Second factors, operators limited to companies, and locks that grow. */
export const accounts: Migration = {
  version: 23,
  name: 'accounts',
  sql: `
-- How often in a row the PIN has been locked since it was last right.
ALTER TABLE operators ADD COLUMN pin_lock_rounds INTEGER NOT NULL DEFAULT 0;

-- 0: only the companies in operator_companies. A flag, so that losing rows never widens what an operator may see.
ALTER TABLE operators ADD COLUMN all_companies INTEGER NOT NULL DEFAULT 1 CHECK (all_companies IN (0, 1));
CREATE TABLE operator_companies (
  operator_id TEXT NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  company_id TEXT NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  PRIMARY KEY (operator_id, company_id)
) STRICT, WITHOUT ROWID;

-- The last time step whose code was used: neither it nor an earlier one counts again.
CREATE TABLE second_factors (
  operator_id TEXT PRIMARY KEY REFERENCES operators (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  enrolled_at INTEGER NOT NULL,
  last_step INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Begun, and not yet confirmed by a first code.
CREATE TABLE second_factor_enrolments (
  operator_id TEXT PRIMARY KEY REFERENCES operators (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE recovery_codes (
  operator_id TEXT NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  code_hash BLOB NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (operator_id, code_hash)
) STRICT, WITHOUT ROWID;

-- A row is now one of several counters. The subject is the hash of the name, so that an admin's reset finds them all.
ALTER TABLE sign_in_failures ADD COLUMN subject BLOB;
ALTER TABLE sign_in_failures ADD COLUMN lock_rounds INTEGER NOT NULL DEFAULT 0;
UPDATE sign_in_failures SET subject = name_hash;
CREATE INDEX sign_in_failures_subject ON sign_in_failures (subject) WHERE subject IS NOT NULL;
`,
};

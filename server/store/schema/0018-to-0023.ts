import type { Migration } from './migration.ts';

/** The tints that a challenge asks the page to show, JSON; null for earlier challenges. */
export const attackDefence: Migration = {
  version: 18,
  name: 'attack defence',
  sql: `
ALTER TABLE challenges ADD COLUMN tints TEXT;
`,
};

/** Further origins that may embed a verification's live checks, JSON. */
export const embedOrigins: Migration = {
  version: 19,
  name: 'embed origins',
  sql: `
ALTER TABLE verifications ADD COLUMN embed_origins TEXT NOT NULL DEFAULT '[]';
`,
};

/**
 * The last saved time, and clean-ups on hold. An existing installation starts with the newest time among its own
 * records.
 */
export const clock: Migration = {
  version: 20,
  name: 'clock',
  sql: `
CREATE TABLE clock_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seen_at INTEGER NOT NULL,
  -- Counts how often an admin set the time back, so that other processes follow.
  resets INTEGER NOT NULL DEFAULT 0
);
INSERT INTO clock_state (id, seen_at)
  SELECT 1, MAX(at) FROM (
    SELECT MAX(at) AS at FROM audit_entries
    UNION ALL SELECT MAX(created_at) FROM sessions
    UNION ALL SELECT MAX(settled_at) FROM passes
    UNION ALL SELECT MAX(last_seen_at) FROM people) AS known
  HAVING MAX(at) IS NOT NULL;

CREATE TABLE retention_holds (
  id TEXT PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('clock_ahead', 'clock_behind', 'many_faces')),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'confirmed', 'running', 'done', 'lapsed')),
  put_off_at INTEGER NOT NULL,
  clock_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  confirmed_by TEXT,
  -- How many faces the admin was told would be removed.
  confirmed_faces INTEGER,
  backup TEXT,
  failure TEXT,
  ended_at INTEGER
);
CREATE UNIQUE INDEX retention_holds_open ON retention_holds ((1)) WHERE state IN ('waiting', 'confirmed', 'running');
`,
};

/**
 * A phone's tries for the number on the desktop. Ends unconfirmed handoffs, because their phones were told the number.
 * The desktop offers a new code.
 */
export const handoffTries: Migration = {
  version: 21,
  name: 'hand-off tries',
  sql: `
DELETE FROM handoffs WHERE confirmed_at IS NULL;
ALTER TABLE handoffs ADD COLUMN tries_left INTEGER NOT NULL DEFAULT 3;
`,
};

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

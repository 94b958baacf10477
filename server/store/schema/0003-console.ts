import type { Migration } from './migration.ts';

/**
 * Additions for the console: operators and their sessions, claims and undo of cases, saved filters, planned
 * maintenance.
 */
export const consoleTables: Migration = {
  version: 3,
  name: 'console',
  sql: `
CREATE TABLE operators (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- The name without case and surplus spaces: how it is signed in with.
  name_key TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('staff', 'reviewer', 'admin')),
  origin TEXT NOT NULL CHECK (origin IN ('setup', 'console', 'cli')),
  passphrase_hash TEXT NOT NULL,
  passphrase_changed_at INTEGER NOT NULL,
  pin_hash TEXT,
  pin_failed_attempts INTEGER NOT NULL DEFAULT 0,
  pin_locked_until INTEGER,
  created_at INTEGER NOT NULL,
  last_signed_in_at INTEGER,
  disabled_at INTEGER
) STRICT;
-- The wizard makes the first admin once, whoever else is asking at the same time.
CREATE UNIQUE INDEX operators_setup ON operators (origin) WHERE origin = 'setup';

-- Failures by name, known or not, so that a lock says nothing about who exists. Named by hash.
CREATE TABLE sign_in_failures (
  name_hash BLOB PRIMARY KEY,
  failed_attempts INTEGER NOT NULL,
  locked_until INTEGER,
  last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_failures_age ON sign_in_failures (last_at);

CREATE TABLE operator_sessions (
  id TEXT PRIMARY KEY,
  token_hash BLOB NOT NULL UNIQUE,
  operator_id TEXT NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  device TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  -- Whatever is done in it, a session is over then.
  ends_at INTEGER NOT NULL,
  ended_at INTEGER,
  ended_reason TEXT
) STRICT;
CREATE INDEX operator_sessions_operator ON operator_sessions (operator_id, created_at);

CREATE TABLE saved_filters (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (operator_id, page, name)
) STRICT;

-- Who has a case before them, and until when; renewed while its page is open.
ALTER TABLE review_cases ADD COLUMN claimed_by TEXT REFERENCES operators (id);
ALTER TABLE review_cases ADD COLUMN claimed_at INTEGER;
ALTER TABLE review_cases ADD COLUMN lease_until INTEGER;
-- A decision of the console waits here, and can be undone, until it takes effect.
ALTER TABLE review_cases ADD COLUMN pending_decision TEXT
  CHECK (pending_decision IN ('same_person', 'different_people', 'same_person_allow'));
ALTER TABLE review_cases ADD COLUMN pending_reason TEXT;
ALTER TABLE review_cases ADD COLUMN pending_by TEXT REFERENCES operators (id);
ALTER TABLE review_cases ADD COLUMN pending_at INTEGER;
ALTER TABLE review_cases ADD COLUMN decision_effective_at INTEGER;
CREATE INDEX review_cases_due ON review_cases (decision_effective_at)
  WHERE decision IS NULL AND decision_effective_at IS NOT NULL;
CREATE INDEX review_cases_undecided ON review_cases (company_id, partition, opened_at) WHERE decision IS NULL;

CREATE TABLE review_notes (
  id TEXT PRIMARY KEY,
  case_id TEXT NOT NULL REFERENCES review_cases (id) ON DELETE CASCADE,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  operator_id TEXT NOT NULL REFERENCES operators (id),
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX review_notes_case ON review_notes (case_id, created_at);

-- Pictures that a reviewer decides by; gone with the retention after the decision.
CREATE TABLE case_frames (
  case_id TEXT NOT NULL REFERENCES review_cases (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  jpeg BLOB NOT NULL,
  taken_at INTEGER NOT NULL,
  delete_after INTEGER,
  PRIMARY KEY (case_id, idx)
) STRICT;
CREATE INDEX case_frames_due ON case_frames (delete_after) WHERE delete_after IS NOT NULL;

CREATE TABLE usage_cap_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id TEXT NOT NULL REFERENCES companies (id),
  from_limit INTEGER,
  daily_limit INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  changed_by TEXT NOT NULL
) STRICT;
CREATE INDEX usage_cap_changes_company ON usage_cap_changes (company_id, changed_at);

-- Maintenance that is planned: announced before, on from its start to its end by itself.
CREATE TABLE maintenance_windows (
  id TEXT PRIMARY KEY,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  notice TEXT NOT NULL DEFAULT '',
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  cancelled_at INTEGER,
  CHECK (ends_at > starts_at)
) STRICT;
CREATE INDEX maintenance_windows_time ON maintenance_windows (starts_at) WHERE cancelled_at IS NULL;

CREATE INDEX audit_entries_company ON audit_entries (company_id, seq);
CREATE INDEX audit_entries_subject ON audit_entries (subject, seq);
`,
};

import type { Migration } from './migration.ts';

/**
 * The core: companies and keys, verifications, sessions, people with their templates, passes. Unique constraints
 * enforce the rules that a race could break; comments name them.
 */
export const initial: Migration = {
  version: 1,
  name: 'initial',
  sql: `
CREATE TABLE companies (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  daily_limit INTEGER NOT NULL CHECK (daily_limit >= 0),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  pair_id TEXT NOT NULL,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  kind TEXT NOT NULL CHECK (kind IN ('pk', 'sk', 'ak')),
  hash BLOB NOT NULL UNIQUE,
  display TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  ends_at INTEGER,
  revoked_at INTEGER,
  reason TEXT
) STRICT;
CREATE INDEX keys_company ON keys (company_id, created_at);

CREATE TABLE verifications (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  external_id TEXT,
  external_tenant_id TEXT,
  origin TEXT,
  return_path TEXT,
  start_path TEXT,
  redirect_url TEXT,
  asset_id TEXT,
  config TEXT NOT NULL,
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- One default a company; one verification for each of the customer's own ids.
CREATE UNIQUE INDEX verifications_default ON verifications (company_id) WHERE is_default = 1;
CREATE UNIQUE INDEX verifications_external ON verifications (company_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX verifications_company ON verifications (company_id, created_at, id);

-- Durable links: claimable until redeemed or revoked, resuming where the person stopped.
CREATE TABLE invites (
  id TEXT PRIMARY KEY,
  code_hash BLOB NOT NULL UNIQUE,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  verification_id TEXT NOT NULL REFERENCES verifications (id),
  key_id TEXT REFERENCES keys (id),
  request TEXT NOT NULL,
  session_id TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  verification_id TEXT NOT NULL REFERENCES verifications (id),
  key_id TEXT REFERENCES keys (id),
  invite_id TEXT REFERENCES invites (id),
  state TEXT NOT NULL CHECK (state IN ('open', 'in_review', 'settled', 'expired', 'cancelled')),
  origin TEXT,
  return_path TEXT,
  start_path TEXT,
  redirect_url TEXT,
  pass_params TEXT,
  auto_return INTEGER CHECK (auto_return IN (0, 1)),
  config TEXT,
  external_id TEXT,
  group_id TEXT,
  include_groups TEXT,
  identity_provider TEXT,
  identity_identifier TEXT,
  metadata TEXT,
  attempts_left INTEGER NOT NULL CHECK (attempts_left >= 0),
  findings TEXT NOT NULL,
  flow_token_hash BLOB,
  resume_key_hash BLOB,
  proven_phone TEXT,
  device TEXT,
  opened_at INTEGER,
  consent_at INTEGER,
  consent_version TEXT,
  consent_language TEXT,
  pass_id TEXT,
  settled_at INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_flow_token ON sessions (flow_token_hash) WHERE flow_token_hash IS NOT NULL;
CREATE INDEX sessions_scope ON sessions (company_id, partition, created_at);

CREATE TABLE challenges (
  nonce_hash BLOB PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK (mode IN ('standard', 'strict')),
  steps TEXT NOT NULL,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX challenges_session ON challenges (session_id);

-- A desktop's offer to a phone: a code good once, bound to the device that used it.
CREATE TABLE handoffs (
  code_hash BLOB PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  match_code TEXT NOT NULL,
  offered_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  device TEXT,
  flow_token_hash BLOB UNIQUE,
  resume_key_hash BLOB,
  opened_at INTEGER,
  confirmed_at INTEGER
) STRICT;
CREATE INDEX handoffs_session ON handoffs (session_id, offered_at);

-- The code that a session's phone number is proven with. The last one of a session counts.
CREATE TABLE phone_codes (
  id TEXT PRIMARY KEY,
  -- All null for a code that opens the person's own page.
  session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  company_id TEXT,
  partition TEXT,
  number TEXT NOT NULL,
  code TEXT,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  tries_left INTEGER NOT NULL CHECK (tries_left >= 0),
  delivery TEXT NOT NULL CHECK (delivery IN ('none', 'pending', 'sent', 'failed')),
  lease_until INTEGER
) STRICT;
CREATE INDEX phone_codes_session ON phone_codes (session_id, sent_at);
CREATE INDEX phone_codes_number ON phone_codes (number, sent_at);
CREATE INDEX phone_codes_pending ON phone_codes (delivery) WHERE delivery = 'pending';

-- Who has proven a number, for a quarter of an hour, to look after their own data.
CREATE TABLE my_sessions (
  token_hash BLOB PRIMARY KEY,
  number TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE people (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  metadata TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX people_scope ON people (company_id, partition, created_at);

-- An identity belongs to one person of the scope, and so does the customer's own id.
CREATE TABLE person_identities (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  provider TEXT NOT NULL CHECK (provider IN ('email', 'phone', 'test')),
  identifier TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  proven_at INTEGER NOT NULL,
  PRIMARY KEY (company_id, partition, provider, identifier)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_identities_number ON person_identities (identifier);
CREATE INDEX person_identities_person ON person_identities (person_id);

CREATE TABLE person_external_ids (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  external_id TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  verification_id TEXT NOT NULL REFERENCES verifications (id),
  bound_at INTEGER NOT NULL,
  PRIMARY KEY (company_id, partition, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_external_ids_person ON person_external_ids (person_id);

-- A test face's name stands for one person of the test partition.
CREATE TABLE test_faces (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition = 'test'),
  name TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  PRIMARY KEY (company_id, partition, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX test_faces_person ON test_faces (person_id);

-- seq only grows, so that an index in memory knows what it has not seen yet.
CREATE TABLE templates (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  pass_id TEXT NOT NULL,
  model TEXT NOT NULL,
  vector BLOB NOT NULL,
  quality REAL NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX templates_scope ON templates (company_id, partition, seq);
CREATE INDEX templates_person ON templates (person_id, created_at);

CREATE TABLE passes (
  id TEXT PRIMARY KEY,
  -- One settlement a session.
  session_id TEXT UNIQUE REFERENCES sessions (id),
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  verification_id TEXT NOT NULL REFERENCES verifications (id),
  person_id TEXT REFERENCES people (id) ON DELETE SET NULL,
  status TEXT NOT NULL CHECK (status IN ('approved', 'denied')),
  reasons TEXT NOT NULL,
  groups TEXT NOT NULL,
  group_id TEXT,
  declined INTEGER NOT NULL CHECK (declined IN (0, 1)),
  external_id TEXT,
  identity_provider TEXT,
  identity_identifier TEXT,
  score INTEGER CHECK (score BETWEEN 0 AND 100),
  settled_at INTEGER NOT NULL,
  locked_at INTEGER,
  -- The person has disconnected: the pass counts for limits only.
  revoked_at INTEGER,
  read_count INTEGER NOT NULL DEFAULT 0,
  last_read_at INTEGER,
  -- Contract: a denied pass always has at least one reason.
  CHECK (status = 'approved' OR reasons <> '[]')
) STRICT;
CREATE INDEX passes_person ON passes (person_id, settled_at);
CREATE INDEX passes_scope ON passes (company_id, partition, settled_at);
-- Over all companies, for a person's own page.
CREATE INDEX passes_identifier ON passes (identity_identifier) WHERE identity_identifier IS NOT NULL;
CREATE INDEX passes_identity ON passes (company_id, partition, identity_provider, identity_identifier, settled_at)
  WHERE identity_identifier IS NOT NULL;

-- A run that waits for a person's decision; what was checked is kept until then.
CREATE TABLE review_cases (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  pass_id TEXT NOT NULL UNIQUE,
  reasons TEXT NOT NULL,
  groups TEXT NOT NULL,
  suspect_ids TEXT NOT NULL,
  test_face TEXT,
  model TEXT,
  vector BLOB,
  quality REAL,
  score INTEGER,
  opened_at INTEGER NOT NULL,
  decision TEXT CHECK (decision IN ('same_person', 'different_people', 'same_person_allow')),
  decision_reason TEXT,
  decided_by TEXT,
  decided_at INTEGER
) STRICT;
-- One open case a session.
CREATE UNIQUE INDEX review_cases_open ON review_cases (session_id) WHERE decision IS NULL;
CREATE INDEX review_cases_queue ON review_cases (company_id, opened_at);

-- Pairs that a reviewer has told apart.
CREATE TABLE distinct_pairs (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  person_a TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  person_b TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  decided_at INTEGER NOT NULL,
  PRIMARY KEY (company_id, partition, person_a, person_b),
  CHECK (person_a < person_b)
) STRICT, WITHOUT ROWID;

-- Frames seen before: the same bytes never count twice in a scope.
CREATE TABLE frame_fingerprints (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  sha256 BLOB NOT NULL,
  fingerprint BLOB NOT NULL,
  session_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (company_id, partition, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX frame_fingerprints_age ON frame_fingerprints (company_id, partition, created_at);

-- The daily cap's counter: raised only while below the cap, in the settlement's own transaction.
CREATE TABLE usage_days (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  day TEXT NOT NULL,
  settled INTEGER NOT NULL,
  PRIMARY KEY (company_id, partition, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_outcomes (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  day TEXT NOT NULL,
  verification_id TEXT NOT NULL,
  group_id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  settled INTEGER NOT NULL,
  PRIMARY KEY (company_id, partition, day, verification_id, group_id, outcome)
) STRICT, WITHOUT ROWID;

CREATE TABLE signing_keys (
  purpose TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version BETWEEN 1 AND 255),
  secret BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (purpose, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  company_id TEXT,
  partition TEXT,
  subject TEXT NOT NULL,
  details TEXT NOT NULL,
  previous_hash BLOB NOT NULL,
  hash BLOB NOT NULL
) STRICT;
`,
};

import type { Migration } from './migration.ts';

/** Additions for v1 and v2: users of a connection, links with a locked number, and webhooks with their outbox. */
export const generationsAndWebhooks: Migration = {
  version: 2,
  name: 'generations-and-webhooks',
  sql: `
-- A roll keeps the line of its keys, and what belongs to a key (webhooks, v1 users) belongs to the line.
ALTER TABLE keys ADD COLUMN lineage_id TEXT NOT NULL DEFAULT '';
UPDATE keys SET lineage_id = pair_id;

-- Whom a v1 or v2 integration knows by an id of its own.
CREATE TABLE connect_users (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  key_lineage_id TEXT NOT NULL,
  generation TEXT NOT NULL CHECK (generation IN ('v1', 'v2')),
  reference_user_id TEXT NOT NULL,
  -- v1: the types of result that were asked for, as JSON.
  data_request TEXT NOT NULL DEFAULT '[]',
  connection TEXT NOT NULL DEFAULT 'none' CHECK (connection IN ('none', 'connected', 'revoked', 'denied')),
  person_id TEXT REFERENCES people (id) ON DELETE SET NULL,
  pass_id TEXT,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
-- Registering a known reference again finds the same user.
CREATE UNIQUE INDEX connect_users_reference
  ON connect_users (company_id, partition, key_lineage_id, generation, reference_user_id);
CREATE INDEX connect_users_scope ON connect_users (company_id, partition, generation, reference_user_id);
CREATE INDEX connect_users_person ON connect_users (person_id) WHERE person_id IS NOT NULL;

ALTER TABLE sessions ADD COLUMN generation TEXT NOT NULL DEFAULT 'v3' CHECK (generation IN ('v1', 'v2', 'v3'));
ALTER TABLE sessions ADD COLUMN connect_user_id TEXT REFERENCES connect_users (id);
-- v2: the number that the link is locked to, and the link's single-use proof of it.
ALTER TABLE sessions ADD COLUMN locked_phone TEXT;
ALTER TABLE sessions ADD COLUMN direct_token_hash BLOB;
ALTER TABLE sessions ADD COLUMN direct_token_used_at INTEGER;
-- v2: the token that the person brings back, and when it was given out.
ALTER TABLE sessions ADD COLUMN status_token_hash BLOB;
ALTER TABLE sessions ADD COLUMN status_token_at INTEGER;
CREATE UNIQUE INDEX sessions_status_token ON sessions (status_token_hash) WHERE status_token_hash IS NOT NULL;
CREATE INDEX sessions_connect_user ON sessions (connect_user_id, created_at) WHERE connect_user_id IS NOT NULL;
-- Runs of v1 and v2 that nobody finished are announced when their time is over.
CREATE INDEX sessions_unfinished ON sessions (expires_at) WHERE state = 'open' AND generation <> 'v3';

ALTER TABLE invites ADD COLUMN generation TEXT NOT NULL DEFAULT 'v3' CHECK (generation IN ('v1', 'v2', 'v3'));
ALTER TABLE invites ADD COLUMN connect_user_id TEXT REFERENCES connect_users (id);

ALTER TABLE passes ADD COLUMN generation TEXT NOT NULL DEFAULT 'v3' CHECK (generation IN ('v1', 'v2', 'v3'));

-- Signing secrets of a line of keys; after a rotation the old one stays valid for receivers until its end.
CREATE TABLE webhook_secrets (
  key_lineage_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER,
  PRIMARY KEY (key_lineage_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_configs (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  key_lineage_id TEXT NOT NULL,
  webhook_type TEXT NOT NULL,
  destination_url TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- The receiver said 410, or an operator switched it off.
  disabled_at INTEGER,
  disabled_reason TEXT
) STRICT;
CREATE UNIQUE INDEX webhook_configs_type ON webhook_configs (key_lineage_id, webhook_type);
CREATE INDEX webhook_configs_scope ON webhook_configs (company_id, partition);

-- How a receiver has been doing: one that fails for days is paused until somebody resumes it.
CREATE TABLE webhook_destinations (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  origin TEXT NOT NULL,
  failing_since INTEGER,
  last_success_at INTEGER,
  paused_at INTEGER,
  PRIMARY KEY (company_id, partition, origin)
) STRICT, WITHOUT ROWID;

-- The outbox: written with the change that causes it, the exact bytes that are signed and sent.
CREATE TABLE webhook_calls (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  transaction_id TEXT NOT NULL UNIQUE,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  key_lineage_id TEXT NOT NULL,
  webhook_type TEXT NOT NULL,
  destination_url TEXT NOT NULL,
  origin TEXT NOT NULL,
  body BLOB NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'COMPLETED', 'FAILED')),
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  next_attempt_at INTEGER,
  last_attempt_at INTEGER,
  completed_at INTEGER,
  -- Claimed by one process until then; a claim that its owner did not end is free again afterwards.
  lease_owner TEXT,
  lease_until INTEGER
) STRICT;
CREATE INDEX webhook_calls_due ON webhook_calls (next_attempt_at) WHERE status = 'PENDING';
CREATE INDEX webhook_calls_origin ON webhook_calls (company_id, partition, origin, next_attempt_at) WHERE status = 'PENDING';
CREATE INDEX webhook_calls_scope ON webhook_calls (company_id, partition, key_lineage_id, seq);

CREATE TABLE webhook_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  key_lineage_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL REFERENCES webhook_calls (transaction_id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  destination_url TEXT NOT NULL,
  http_status INTEGER,
  response_body TEXT,
  network_failure TEXT,
  duration_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- An attempt is recorded once.
  UNIQUE (transaction_id, attempt)
) STRICT;
CREATE INDEX webhook_events_scope ON webhook_events (company_id, partition, key_lineage_id, seq);
`,
};

import type { Migration } from './migration.ts';

/** Events of a venue with their text and logo, its kiosks, and the kiosk of each run. */
export const venue: Migration = {
  version: 14,
  name: 'venue',
  sql: `
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  name TEXT NOT NULL,
  verification_id TEXT NOT NULL REFERENCES verifications (id),
  group_id TEXT NOT NULL,
  limit_kind TEXT NOT NULL CHECK (limit_kind IN ('none', 'total', 'day', 'week', 'month')),
  limit_max INTEGER NOT NULL CHECK (limit_max >= 1),
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  languages TEXT NOT NULL,
  words TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (ends_at > starts_at)
) STRICT;
-- A group tells which event a run belongs to.
CREATE UNIQUE INDEX events_group ON events (company_id, partition, group_id);
CREATE INDEX events_scope ON events (company_id, partition, starts_at, id);

-- Apart from its event, which is read often and without it. The id is another one with each picture.
CREATE TABLE event_logos (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  logo_id TEXT NOT NULL UNIQUE,
  image BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Devices of a company. Not yet paired: a code and no token; paired: a token and no code; revoked: neither.
CREATE TABLE kiosks (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  name TEXT NOT NULL,
  event_id TEXT REFERENCES events (id) ON DELETE SET NULL,
  pairing_code_hash BLOB UNIQUE,
  pairing_expires_at INTEGER,
  token_hash BLOB UNIQUE,
  paired_at INTEGER,
  revoked_at INTEGER,
  last_seen_at INTEGER,
  screen TEXT,
  camera TEXT,
  session_id TEXT REFERENCES sessions (id) ON DELETE SET NULL,
  command_id TEXT,
  command TEXT CHECK (command IN ('walk_up', 'reset')),
  command_at INTEGER,
  created_at INTEGER NOT NULL,
  -- Of what staff see of it; a heartbeat that says nothing new leaves it.
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX kiosks_company ON kiosks (company_id, created_at);
CREATE INDEX kiosks_event ON kiosks (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX kiosks_session ON kiosks (session_id) WHERE session_id IS NOT NULL;

-- Runs that were made at a kiosk.
CREATE TABLE kiosk_runs (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  kiosk_id TEXT NOT NULL REFERENCES kiosks (id),
  event_id TEXT REFERENCES events (id) ON DELETE SET NULL,
  origin TEXT NOT NULL CHECK (origin IN ('walk_up', 'scan')),
  started_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kiosk_runs_event ON kiosk_runs (event_id, origin, started_at) WHERE event_id IS NOT NULL;
CREATE INDEX kiosk_runs_kiosk ON kiosk_runs (kiosk_id, started_at);

-- The door's feed and an event's report: what came to an end, and what is under way.
CREATE INDEX sessions_ended ON sessions (company_id, partition, settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX sessions_group_ended ON sessions (company_id, partition, group_id, settled_at)
  WHERE settled_at IS NOT NULL AND group_id IS NOT NULL;
CREATE INDEX sessions_under_way ON sessions (company_id, partition, opened_at)
  WHERE state = 'open' AND opened_at IS NOT NULL;
CREATE INDEX phone_codes_waiting ON phone_codes (expires_at) WHERE code IS NOT NULL;
`,
};

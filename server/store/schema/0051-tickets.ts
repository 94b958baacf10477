import type { Migration } from './migration.ts';

const SCOPE = `company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE`;

/** Tickets of other systems at the door of an event. */
export const tickets: Migration = {
  version: 51,
  name: 'tickets',
  sql: `
-- What the organiser says about tickets of an event; the defaults without a row.
CREATE TABLE ticket_rules (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  re_entry INTEGER NOT NULL,
  most_inside INTEGER,
  keep_days INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ticket_rules_scope ON ticket_rules (company_id, partition);

-- config is sealed: addresses and tokens. state has no secrets: how far the source was read.
CREATE TABLE ticket_sources (
  id TEXT PRIMARY KEY,
  ${SCOPE},
  kind TEXT NOT NULL CHECK (kind IN ('list', 'pretix', 'hi_events', 'any')),
  name TEXT NOT NULL,
  config TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ticket_sources_event ON ticket_sources (event_id, company_id, partition, created_at, id);
CREATE INDEX ticket_sources_scope ON ticket_sources (company_id, partition);

-- code_hash is an HMAC; null once the event's retention has ended. code (only where another system has to be told) and
-- note are sealed. search_name is the name as it is searched.
CREATE TABLE tickets (
  id TEXT PRIMARY KEY,
  ${SCOPE},
  source_id TEXT NOT NULL REFERENCES ticket_sources (id) ON DELETE CASCADE,
  code_hash BLOB,
  code TEXT,
  external_id TEXT,
  name TEXT,
  search_name TEXT,
  kind TEXT,
  party TEXT,
  note TEXT,
  valid_from INTEGER,
  valid_until INTEGER,
  state TEXT NOT NULL CHECK (state IN ('valid', 'unpaid', 'blocked', 'revoked', 'cancelled')),
  rules_unknown INTEGER NOT NULL DEFAULT 0,
  person_id TEXT REFERENCES people (id) ON DELETE SET NULL,
  bound_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX tickets_code ON tickets (event_id, code_hash);
-- With the scope, because the planner counts equal columns, and would read every ticket of the company.
CREATE INDEX tickets_party ON tickets (event_id, party, company_id, partition) WHERE party IS NOT NULL;
CREATE INDEX tickets_name ON tickets (event_id, company_id, partition, search_name);
CREATE INDEX tickets_person ON tickets (person_id, company_id, partition, event_id);
CREATE INDEX tickets_source ON tickets (source_id, company_id, partition, external_id);
CREATE INDEX tickets_scope ON tickets (company_id, partition, code_hash);

-- One passage of people. turn counts a ticket's passages, so that two at once can't both be the next. people is more than
-- one for children without tickets of their own.
CREATE TABLE ticket_entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  ${SCOPE},
  ticket_id TEXT REFERENCES tickets (id) ON DELETE SET NULL,
  turn INTEGER,
  person_id TEXT REFERENCES people (id) ON DELETE SET NULL,
  session_id TEXT REFERENCES sessions (id) ON DELETE SET NULL,
  gate TEXT NOT NULL,
  gate_name TEXT NOT NULL,
  direction TEXT NOT NULL CHECK (direction IN ('in', 'out')),
  people INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  how TEXT NOT NULL CHECK (how IN ('check', 'lane', 'staff')),
  reason TEXT,
  undone_at INTEGER
) STRICT;
CREATE UNIQUE INDEX ticket_entries_turn ON ticket_entries (ticket_id, turn);
CREATE UNIQUE INDEX ticket_entries_session ON ticket_entries (session_id, direction) WHERE undone_at IS NULL;
CREATE INDEX ticket_entries_run ON ticket_entries (session_id, company_id, partition, direction);
CREATE INDEX ticket_entries_ticket ON ticket_entries (ticket_id, company_id, partition, turn);
CREATE INDEX ticket_entries_event ON ticket_entries (event_id, company_id, partition, undone_at, direction, gate, at, people);
CREATE INDEX ticket_entries_person ON ticket_entries (person_id, company_id, partition, event_id);
CREATE INDEX ticket_entries_scope ON ticket_entries (company_id, partition, at);

-- Scans that let nobody in, for the report: counted by hour, without the code.
CREATE TABLE ticket_refusals (
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  hour INTEGER NOT NULL,
  gate TEXT NOT NULL,
  gate_name TEXT NOT NULL,
  reason TEXT NOT NULL,
  scans INTEGER NOT NULL,
  PRIMARY KEY (event_id, hour, gate, reason)
) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_refusals_scope ON ticket_refusals (company_id, partition);

-- A run that began with a ticket.
CREATE TABLE ticket_runs (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  ticket_id TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test'))
) STRICT;
CREATE INDEX ticket_runs_ticket ON ticket_runs (ticket_id);
CREATE INDEX ticket_runs_scope ON ticket_runs (company_id, partition);

-- What a source has to be told of an entry, as webhook_calls. answer is sealed.
CREATE TABLE ticket_calls (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  ${SCOPE},
  source_id TEXT NOT NULL REFERENCES ticket_sources (id) ON DELETE CASCADE,
  ticket_id TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  entry_seq INTEGER NOT NULL REFERENCES ticket_entries (seq) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('in', 'out', 'undo')),
  nonce TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'told', 'conflict', 'refused')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  lease_owner TEXT,
  lease_until INTEGER,
  answer TEXT,
  at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE UNIQUE INDEX ticket_calls_entry ON ticket_calls (entry_seq, kind);
CREATE INDEX ticket_calls_due ON ticket_calls (source_id, status, next_attempt_at, seq);
CREATE INDEX ticket_calls_scope ON ticket_calls (company_id, partition, status);
CREATE INDEX ticket_calls_ticket ON ticket_calls (ticket_id);

-- code is sealed: staff can show it again.
CREATE TABLE ticket_shifts (
  id TEXT PRIMARY KEY,
  ${SCOPE},
  role TEXT NOT NULL CHECK (role IN ('steward', 'supervisor')),
  code_hash BLOB NOT NULL UNIQUE,
  code TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX ticket_shifts_event ON ticket_shifts (event_id, created_at, id);
CREATE INDEX ticket_shifts_scope ON ticket_shifts (company_id, partition);

-- A phone of the door team. called_at: since when its steward waits for a supervisor.
CREATE TABLE shift_phones (
  id TEXT PRIMARY KEY,
  shift_id TEXT NOT NULL REFERENCES ticket_shifts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL UNIQUE,
  joined_at INTEGER NOT NULL,
  called_at INTEGER
) STRICT;
CREATE INDEX shift_phones_shift ON shift_phones (shift_id, joined_at, id);
`,
};

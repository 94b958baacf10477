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

/**
 * A person's passes and templates are read with their scope. The planner counts equal columns: with only the person in
 * an index, it took the scope's, and read every pass of the company at each settlement.
 */
export const personIndexes: Migration = {
  version: 15,
  name: 'person-indexes',
  sql: `
-- The person comes first, for what happens to these rows when a person is removed.
DROP INDEX passes_person;
CREATE INDEX passes_person ON passes (person_id, company_id, partition, settled_at, id);
DROP INDEX templates_person;
CREATE INDEX templates_person ON templates (person_id, company_id, partition, created_at);
`,
};

/**
 * How a run counts in an event's figures. Its own pass may be missing (review, cancelled) or an earlier one
 * (`passed_again`); another entry that the event's limit allows is approved with only a collision.
 * @param r a row of `sessions`; the pass it points to is read
 */
const countsAs = (r: string): string => `CASE WHEN ${r}.state = 'in_review' THEN 'in_review' ELSE COALESCE((
    SELECT CASE
      WHEN p.session_id IS DISTINCT FROM ${r}.id THEN 'passed_again'
      WHEN p.status = 'approved' AND p.reasons = '[]' THEN 'passed'
      WHEN p.status = 'approved' AND p.reasons IN ('["collision"]', '["collision_company"]') THEN 'passed_again'
      WHEN p.status = 'approved' THEN 'flagged'
      WHEN p.declined = 1 THEN 'declined'
      ELSE 'turned_away' END
    FROM passes p WHERE p.id = ${r}.pass_id), 'unfinished') END`;

const ENDED_RUN = `(SELECT s.partition, s.group_id, s.settled_at, s.counts_as FROM sessions s
      WHERE s.id = kiosk_runs.session_id AND s.settled_at IS NOT NULL)`;

/**
 * Counts an event's figures in an index alone: reading each run with its pass took a third of a second at 100,000. The
 * counted columns are on the run, and on its kiosk's row, kept in sync by triggers. Also adds the indexes that an
 * erasure needs to read no table completely.
 */
export const eventFigures: Migration = {
  version: 17,
  name: 'event-figures',
  sql: `
ALTER TABLE sessions ADD COLUMN counts_as TEXT;
UPDATE sessions SET counts_as = ${countsAs('sessions')} WHERE settled_at IS NOT NULL;
ALTER TABLE kiosk_runs ADD COLUMN partition TEXT;
ALTER TABLE kiosk_runs ADD COLUMN group_id TEXT;
ALTER TABLE kiosk_runs ADD COLUMN ended_at INTEGER;
ALTER TABLE kiosk_runs ADD COLUMN counts_as TEXT;
UPDATE kiosk_runs SET (partition, group_id, ended_at, counts_as) = ${ENDED_RUN};

CREATE TRIGGER sessions_count AFTER UPDATE OF state, pass_id, settled_at ON sessions
WHEN NEW.settled_at IS NOT NULL BEGIN
  UPDATE sessions SET counts_as = ${countsAs('NEW')} WHERE id = NEW.id;
END;
CREATE TRIGGER passes_count_inserted AFTER INSERT ON passes BEGIN
  UPDATE sessions SET counts_as = ${countsAs('sessions')} WHERE pass_id = NEW.id AND settled_at IS NOT NULL;
END;
CREATE TRIGGER passes_count_updated AFTER UPDATE OF status, reasons, declined ON passes BEGIN
  UPDATE sessions SET counts_as = ${countsAs('sessions')} WHERE pass_id = NEW.id AND settled_at IS NOT NULL;
END;
CREATE TRIGGER kiosk_runs_counted AFTER UPDATE OF counts_as ON sessions BEGIN
  UPDATE kiosk_runs SET partition = NEW.partition, group_id = NEW.group_id, ended_at = NEW.settled_at,
    counts_as = NEW.counts_as WHERE session_id = NEW.id;
END;
CREATE TRIGGER kiosk_runs_inserted AFTER INSERT ON kiosk_runs BEGIN
  UPDATE kiosk_runs SET (partition, group_id, ended_at, counts_as) = ${ENDED_RUN} WHERE session_id = NEW.session_id;
END;

DROP INDEX sessions_ended;
CREATE INDEX sessions_ended ON sessions (company_id, partition, settled_at, counts_as) WHERE settled_at IS NOT NULL;
DROP INDEX sessions_group_ended;
CREATE INDEX sessions_group_ended ON sessions (company_id, partition, group_id, settled_at, counts_as)
  WHERE settled_at IS NOT NULL AND group_id IS NOT NULL;
CREATE INDEX kiosk_runs_ended ON kiosk_runs (event_id, kiosk_id, partition, ended_at, started_at, counts_as, origin, group_id)
  WHERE event_id IS NOT NULL AND ended_at IS NOT NULL;

CREATE INDEX sessions_locked_phone ON sessions (company_id, partition, locked_phone) WHERE locked_phone IS NOT NULL;
CREATE INDEX frame_fingerprints_session ON frame_fingerprints (session_id);
-- Both sides of a pair go with the person.
CREATE INDEX distinct_pairs_a ON distinct_pairs (person_a);
`,
};

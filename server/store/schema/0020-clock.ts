import type { Migration } from './migration.ts';

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

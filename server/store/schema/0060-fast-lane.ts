import type { Migration } from './migration.ts';

/** Guests who come back with their ticket pass a shorter check, where the event allows it. */
export const fastLane: Migration = {
  version: 60,
  name: 'fast lane',
  sql: `
ALTER TABLE events ADD COLUMN fast_lane INTEGER NOT NULL DEFAULT 0;
-- The run passed by the shorter check; its entry says so as well, in place of how.
ALTER TABLE ticket_runs ADD COLUMN fast_lane INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ticket_entries ADD COLUMN fast_lane INTEGER NOT NULL DEFAULT 0;
`,
};

import type { Migration } from './migration.ts';

/** Badges and wristbands, printed at the kiosk where a ticket's guest enters first. */
export const badges: Migration = {
  version: 66,
  name: 'badges',
  sql: `
-- The template; null prints none.
ALTER TABLE events ADD COLUMN badge TEXT;
ALTER TABLE events ADD COLUMN badge_width_mm INTEGER NOT NULL DEFAULT 90;
ALTER TABLE events ADD COLUMN badge_height_mm INTEGER NOT NULL DEFAULT 55;

-- One for each ticket. What is on it is read from the ticket when it is printed. taken: a kiosk has it, and nobody knows
-- whether it was printed.
CREATE TABLE ticket_badges (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  ticket_id TEXT NOT NULL UNIQUE REFERENCES tickets (id) ON DELETE CASCADE,
  entry_seq INTEGER NOT NULL REFERENCES ticket_entries (seq) ON DELETE CASCADE,
  kiosk_id TEXT REFERENCES kiosks (id) ON DELETE SET NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'taken', 'sent', 'failed')),
  why TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ticket_badges_kiosk ON ticket_badges (kiosk_id, event_id, created_at, id) WHERE status = 'waiting';
CREATE INDEX ticket_badges_event ON ticket_badges (event_id, company_id, partition, updated_at);
CREATE INDEX ticket_badges_entry ON ticket_badges (entry_seq);
CREATE INDEX ticket_badges_of_kiosk ON ticket_badges (kiosk_id);
CREATE INDEX ticket_badges_scope ON ticket_badges (company_id, partition);
`,
};

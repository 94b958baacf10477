import type { Migration } from './migration.ts';

/** What an event keeps faces for, the pool of each face, and the certificates of their end. */
export const facesOfEvents: Migration = {
  version: 62,
  name: 'faces of events',
  sql: `
-- Events from before keep faces as the organiser's settings say.
ALTER TABLE events ADD COLUMN faces TEXT NOT NULL DEFAULT 'organiser';
ALTER TABLE events ADD COLUMN faces_days INTEGER NOT NULL DEFAULT 1;
-- The end of its faces that the clock was seen to come near: without a leap to it.
ALTER TABLE events ADD COLUMN faces_due_seen INTEGER;
-- The event in whose pool the face is; empty for the organiser's own.
ALTER TABLE templates ADD COLUMN event_id TEXT NOT NULL DEFAULT '';
CREATE INDEX templates_pool ON templates (company_id, partition, event_id, model, person_id, seq);

-- ended_at is null while faces are being removed; removed is JSON, rows by kind.
CREATE TABLE event_face_ends (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  removed TEXT NOT NULL
) STRICT;
CREATE INDEX event_face_ends_event ON event_face_ends (company_id, partition, event_id, begun_at);
CREATE UNIQUE INDEX event_face_ends_open ON event_face_ends (event_id) WHERE ended_at IS NULL;
`,
};

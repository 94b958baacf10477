import type { Migration } from './migration.ts';

/** The venue's picture behind the start screen of an event's kiosks. */
export const eventPictures: Migration = {
  version: 36,
  name: 'event pictures',
  sql: `
-- darkest: '#rrggbb', no pixel is darker in any channel. The id changes with each picture.
CREATE TABLE event_pictures (
  event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  picture_id TEXT NOT NULL UNIQUE,
  image BLOB NOT NULL,
  darkest TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`,
};

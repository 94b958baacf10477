import type { Migration } from './migration.ts';

/** One small photo of each guest who passed, where an event keeps them and the guest agreed. */
export const guestPhotos: Migration = {
  version: 39,
  name: 'guest photos',
  sql: `
-- Days after the event's end; null where no photo is kept.
ALTER TABLE events ADD COLUMN guest_photo_days INTEGER CHECK (guest_photo_days BETWEEN 0 AND 30);
-- The time until which the guest agreed that a photo is kept; null without that consent.
ALTER TABLE sessions ADD COLUMN photo_until INTEGER;

CREATE TABLE guest_photos (
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  jpeg BLOB NOT NULL,
  framing TEXT NOT NULL,
  taken_at INTEGER NOT NULL,
  delete_after INTEGER NOT NULL,
  PRIMARY KEY (event_id, person_id)
) STRICT;
CREATE INDEX guest_photos_person ON guest_photos (person_id);
CREATE INDEX guest_photos_due ON guest_photos (delete_after);
`,
};

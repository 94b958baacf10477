import type { Migration } from './migration.ts';

/** Addresses that each node listens on, for admins of several nodes. */
export const nodeAddresses: Migration = {
  version: 32,
  name: 'node addresses',
  sql: `
-- A JSON array.
ALTER TABLE nodes ADD COLUMN addresses TEXT NOT NULL DEFAULT '[]';
`,
};

/**
 * A template that is sealed with another key is the same face. Previously, every node read all faces again after a
 * rotation. A new vector is a new row, so only the other columns can change a face.
 */
export const sealedTemplates: Migration = {
  version: 33,
  name: 'sealed templates',
  sql: `
DROP TRIGGER templates_updated;
CREATE TRIGGER templates_updated AFTER UPDATE OF company_id, partition, person_id, pass_id, model, quality, created_at ON templates BEGIN
  DELETE FROM face_changes WHERE person_id = NEW.person_id;
  INSERT INTO face_changes (company_id, partition, person_id) VALUES (NEW.company_id, NEW.partition, NEW.person_id);
END;
`,
};

/** The venue's colour on the screens of an event's kiosks. */
export const eventColours: Migration = {
  version: 34,
  name: 'event colours',
  sql: `
-- '#rrggbb'; null for the product's own.
ALTER TABLE events ADD COLUMN colour TEXT;
`,
};

/** The reviewer whom a case is assigned to. */
export const reviewAssignment: Migration = {
  version: 35,
  name: 'review assignment',
  sql: `
ALTER TABLE review_cases ADD COLUMN assigned_to TEXT REFERENCES operators (id);
ALTER TABLE review_cases ADD COLUMN assigned_at INTEGER;
`,
};

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

/**
 * Signatures of frames are looked up by their parts; before, all of a day were read for each verdict. They are data about
 * people and kept for the day in which they are compared, the hashes of bytes for 30. The old column stays for a node of the
 * version before, which runs beside this one during an upgrade; it has the hash instead of a signature, and is ignored.
 */
export const seenSignatures: Migration = {
  version: 37,
  name: 'seen signatures',
  sql: `
CREATE TABLE seen_signatures (
  part BLOB NOT NULL,
  signature BLOB NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (part, signature)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_signatures_age ON seen_signatures (seen_at);
UPDATE seen_frames SET signature = sha256;
`,
};

/**
 * The rows of the face index as the search needs them, so that a start reads a seventh of the pages: a template fills a page
 * of its own. A row exists only while it agrees with the templates, because triggers remove it with any change of them. A
 * change of the rounding or of its layout needs a migration that empties the table.
 */
export const faceRows: Migration = {
  version: 38,
  name: 'face rows',
  sql: `
CREATE TABLE face_rows (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  person_id TEXT NOT NULL,
  model TEXT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (company_id, partition, person_id, model)
) STRICT;

CREATE TRIGGER face_rows_inserted AFTER INSERT ON templates BEGIN
  DELETE FROM face_rows WHERE company_id = NEW.company_id AND partition = NEW.partition AND person_id = NEW.person_id;
END;
CREATE TRIGGER face_rows_deleted AFTER DELETE ON templates BEGIN
  DELETE FROM face_rows WHERE company_id = OLD.company_id AND partition = OLD.partition AND person_id = OLD.person_id;
END;
CREATE TRIGGER face_rows_updated AFTER UPDATE OF company_id, partition, person_id, model ON templates BEGIN
  DELETE FROM face_rows WHERE company_id = OLD.company_id AND partition = OLD.partition AND person_id = OLD.person_id;
  DELETE FROM face_rows WHERE company_id = NEW.company_id AND partition = NEW.partition AND person_id = NEW.person_id;
END;
`,
};

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

/** How long a face may be kept, as the person agreed. */
export const agreedRetention: Migration = {
  version: 40,
  name: 'agreed retention',
  sql: `
-- The days without a visit that the consent text named; null in earlier consents, whose text said three years.
ALTER TABLE sessions ADD COLUMN retention_days INTEGER;
-- Those of the person's last visit. The face is kept no longer, even if the setting is.
ALTER TABLE people ADD COLUMN retention_days INTEGER;
-- The clean-up reads it instead of the people, whose rows are large.
CREATE INDEX people_retention ON people (last_seen_at, retention_days, id);
`,
};

/** Whether the page's light is usually seen on faces: at a kiosk, or with a verification's other devices. */
export const pageLight: Migration = {
  version: 41,
  name: 'page light',
  sql: `
-- place_id is one of the two others. recent: of the last captures that passed there, newest first, '1' if the skin
-- reflected the light, else '0'.
CREATE TABLE page_light (
  company_id TEXT NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  place_id TEXT NOT NULL,
  kiosk_id TEXT REFERENCES kiosks (id) ON DELETE CASCADE,
  verification_id TEXT REFERENCES verifications (id) ON DELETE CASCADE,
  recent TEXT NOT NULL,
  PRIMARY KEY (company_id, partition, place_id),
  CHECK ((kiosk_id IS NULL) <> (verification_id IS NULL) AND place_id = COALESCE(kiosk_id, verification_id))
) STRICT;
`,
};

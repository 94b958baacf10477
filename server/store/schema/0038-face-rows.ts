import type { Migration } from './migration.ts';

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

import type { Migration } from './migration.ts';

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

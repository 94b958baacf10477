import type { Migration } from './migration.ts';

/** An address as it was sent, beside its canonical form: staff read the one, the other is compared. */
export const givenIdentities: Migration = {
  version: 42,
  name: 'given identities',
  sql: `
-- Null if it is the same.
ALTER TABLE sessions ADD COLUMN identity_given TEXT;
ALTER TABLE person_identities ADD COLUMN given TEXT;
-- The schema that the node knows; 0 for nodes that do not say. What they cannot read waits until they are gone.
ALTER TABLE nodes ADD COLUMN schema_version INTEGER NOT NULL DEFAULT 0;
-- A node of the version before erases a person without knowing the column.
CREATE TRIGGER sessions_identity_erased AFTER UPDATE OF identity_identifier ON sessions
  WHEN NEW.identity_identifier IS NULL AND OLD.identity_identifier IS NOT NULL BEGIN
  UPDATE sessions SET identity_given = NULL WHERE id = NEW.id AND identity_given IS NOT NULL;
END;
`,
};

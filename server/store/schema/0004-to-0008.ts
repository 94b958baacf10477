import type { Migration } from './migration.ts';

/** Additions for exact matching: faces ordered by person, a log of changed faces, the stand-out cohort. */
export const matching: Migration = {
  version: 4,
  name: 'matching',
  sql: `
-- Loading an index reads person by person, so that several templates become one mean on the way.
CREATE INDEX templates_people ON templates (company_id, partition, model, person_id, seq);
DROP INDEX templates_scope;

-- Whose templates changed last, in order: every process on this database keeps its index in step by it. A person stands
-- here once; one who was erased stays as a bare id, which tells the other processes to forget the face.
CREATE TABLE face_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  person_id TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX face_changes_scope ON face_changes (company_id, partition, seq);

-- Triggers, so that no way of removing a template (erasure, retention, clearing test data) can leave the log behind.
CREATE TRIGGER templates_inserted AFTER INSERT ON templates BEGIN
  DELETE FROM face_changes WHERE person_id = NEW.person_id;
  INSERT INTO face_changes (company_id, partition, person_id) VALUES (NEW.company_id, NEW.partition, NEW.person_id);
END;
CREATE TRIGGER templates_deleted AFTER DELETE ON templates BEGIN
  DELETE FROM face_changes WHERE person_id = OLD.person_id;
  INSERT INTO face_changes (company_id, partition, person_id) VALUES (OLD.company_id, OLD.partition, OLD.person_id);
END;
CREATE TRIGGER templates_updated AFTER UPDATE ON templates BEGIN
  DELETE FROM face_changes WHERE person_id = NEW.person_id;
  INSERT INTO face_changes (company_id, partition, person_id) VALUES (NEW.company_id, NEW.partition, NEW.person_id);
END;

-- The fixed random others against whom a match has to stand out. A member goes with their template, and so with any
-- erasure, in the same transaction.
CREATE TABLE match_cohort (
  template_seq INTEGER PRIMARY KEY REFERENCES templates (seq) ON DELETE CASCADE,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  model TEXT NOT NULL,
  person_id TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX match_cohort_person ON match_cohort (company_id, partition, model, person_id);
`,
};

/** When a receiver last failed: time without calls does not count as failing. */
export const webhookHealth: Migration = {
  version: 6,
  name: 'webhook-health',
  sql: 'ALTER TABLE webhook_destinations ADD COLUMN last_failure_at INTEGER;',
};

/** Additions for reviewers: similarity in numbers, and the position of the face in each picture. */
export const reviews: Migration = {
  version: 7,
  name: 'reviews',
  sql: `
-- JSON, a cosine (or null) for each of suspect_ids, as it was when the case opened; the thresholds that it met then.
ALTER TABLE review_cases ADD COLUMN similarities TEXT;
ALTER TABLE review_cases ADD COLUMN near_threshold REAL;
ALTER TABLE review_cases ADD COLUMN same_threshold REAL;
CREATE INDEX review_cases_decided ON review_cases (company_id, partition, decided_at) WHERE decision IS NOT NULL;
CREATE INDEX review_cases_pending_by ON review_cases (pending_by) WHERE decision IS NULL AND pending_by IS NOT NULL;
-- Whom a person was told apart from, whichever of the two they are.
CREATE INDEX distinct_pairs_b ON distinct_pairs (person_b);

-- JSON: where the eyes are, so that two faces can be shown at one size.
ALTER TABLE case_frames ADD COLUMN framing TEXT NOT NULL DEFAULT '{}';
`,
};

/** Look-ups for the console's pages of keys, webhooks and usage, and the reason for a cap change. */
export const keysWebhooksUsage: Migration = {
  version: 8,
  name: 'keys-webhooks-usage',
  sql: `
CREATE INDEX keys_pairs ON keys (company_id, partition, pair_id);
CREATE INDEX keys_lineage ON keys (company_id, partition, lineage_id, pair_id);
CREATE INDEX webhook_calls_status ON webhook_calls (company_id, partition, key_lineage_id, status, seq);
-- Null where the command line changed it, which asks for none.
ALTER TABLE usage_cap_changes ADD COLUMN reason TEXT;
`,
};

import type { Migration } from './migration.ts';

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

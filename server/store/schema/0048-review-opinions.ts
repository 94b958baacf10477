import type { Migration } from './migration.ts';

/** What reviewers think of a case that needs a second opinion. */
export const reviewOpinions: Migration = {
  version: 48,
  name: 'review opinions',
  sql: `
CREATE TABLE review_opinions (
  case_id TEXT NOT NULL REFERENCES review_cases (id) ON DELETE CASCADE,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  decision TEXT NOT NULL CHECK (decision IN ('same_person', 'different_people', 'same_person_allow')),
  -- Sealed; null once the person was erased.
  reason TEXT,
  given_at INTEGER NOT NULL,
  PRIMARY KEY (case_id, operator_id)
) STRICT;
CREATE INDEX review_opinions_operator ON review_opinions (operator_id);
`,
};

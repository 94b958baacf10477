import type { Migration } from './migration.ts';

/** Cases with a known answer, which measure how often a reviewer errs. */
export const reviewControls: Migration = {
  version: 53,
  name: 'review controls',
  sql: `
-- Of people who agreed to it, for all companies. Nobody of them is enrolled.
CREATE TABLE control_pictures (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- Sealed.
  jpeg BLOB NOT NULL,
  framing TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  delete_after INTEGER NOT NULL
) STRICT;

-- Those that wait for a decision. Their rows elsewhere are removed with them.
CREATE TABLE review_controls (
  case_id TEXT PRIMARY KEY REFERENCES review_cases (id) ON DELETE CASCADE,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  answer TEXT NOT NULL CHECK (answer IN ('same', 'different')),
  names TEXT NOT NULL,
  session_id TEXT NOT NULL UNIQUE,
  past_session_id TEXT NOT NULL UNIQUE,
  person_id TEXT NOT NULL UNIQUE,
  model TEXT NOT NULL,
  quality REAL NOT NULL,
  enrolled_at INTEGER NOT NULL,
  opened_at INTEGER NOT NULL
) STRICT;
CREATE INDEX review_controls_company ON review_controls (company_id, partition);

CREATE TABLE control_results (
  case_id TEXT NOT NULL,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  answer TEXT NOT NULL CHECK (answer IN ('same', 'different')),
  decision TEXT NOT NULL CHECK (decision IN ('same_person', 'different_people', 'same_person_allow')),
  is_wrong INTEGER NOT NULL CHECK (is_wrong IN (0, 1)),
  decided_at INTEGER NOT NULL,
  PRIMARY KEY (case_id, operator_id)
) STRICT;
CREATE INDEX control_results_operator ON control_results (operator_id);
CREATE INDEX control_results_company ON control_results (company_id, partition, decided_at);
`,
};

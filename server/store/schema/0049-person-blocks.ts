import type { Migration } from './migration.ts';

/** The organiser's block list. */
export const personBlocks: Migration = {
  version: 49,
  name: 'person blocks',
  sql: `
-- Ends with the person. reason and contact are sealed.
CREATE TABLE person_blocks (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  action TEXT NOT NULL CHECK (action IN ('refuse', 'review')),
  reason TEXT NOT NULL,
  contact TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE UNIQUE INDEX person_blocks_one ON person_blocks (person_id) WHERE ended_at IS NULL;
CREATE INDEX person_blocks_scope ON person_blocks (company_id, partition, created_at);
CREATE INDEX person_blocks_person ON person_blocks (person_id);
`,
};

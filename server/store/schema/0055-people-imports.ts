import type { Migration } from './migration.ts';

/** People whom another service knew: until their first check with a face, their ID stands for them. */
export const peopleImports: Migration = {
  version: 55,
  name: 'people imports',
  sql: `
CREATE TABLE imported_people (
  person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  imported_at INTEGER NOT NULL
) STRICT;
`,
};

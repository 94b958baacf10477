import type { Migration } from './migration.ts';

/** What a key is for, in its owner's words. A roll keeps it. */
export const keyNames: Migration = {
  version: 50,
  name: 'key names',
  sql: `
CREATE TABLE key_names (
  lineage_id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  name TEXT NOT NULL
) STRICT;
`,
};

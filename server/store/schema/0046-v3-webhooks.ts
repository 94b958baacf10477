import type { Migration } from './migration.ts';

/** Webhooks of v3: they belong to a company and partition instead of a key. */
export const v3Webhooks: Migration = {
  version: 46,
  name: 'v3 webhooks',
  sql: `
-- Its configurations, secrets, calls and attempts have its ID in the place of a key family's.
CREATE TABLE v3_webhooks (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  description TEXT NOT NULL,
  signing TEXT NOT NULL CHECK (signing IN ('shared_secret', 'key_pair')),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX v3_webhooks_scope ON v3_webhooks (company_id, partition, created_at);
`,
};

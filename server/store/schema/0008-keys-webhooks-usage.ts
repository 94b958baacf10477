import type { Migration } from './migration.ts';

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

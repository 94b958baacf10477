import type { Migration } from './migration.ts';

/** When a receiver last failed: time without calls does not count as failing. */
export const webhookHealth: Migration = {
  version: 6,
  name: 'webhook-health',
  sql: 'ALTER TABLE webhook_destinations ADD COLUMN last_failure_at INTEGER;',
};

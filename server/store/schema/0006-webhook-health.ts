import type { Migration } from './migration.ts';

/** When a receiver last failed: time in which nothing was sent to it is no time of failure. */
export const webhookHealth: Migration = {
  version: 6,
  name: 'webhook-health',
  sql: 'ALTER TABLE webhook_destinations ADD COLUMN last_failure_at INTEGER;',
};

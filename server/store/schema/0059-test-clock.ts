import type { Migration } from './migration.ts';

/** How far the times of a company's test data were moved back, since it was cleared. */
export const testClock: Migration = {
  version: 59,
  name: 'test clock',
  sql: 'ALTER TABLE companies ADD COLUMN test_clock_ms INTEGER NOT NULL DEFAULT 0;',
};

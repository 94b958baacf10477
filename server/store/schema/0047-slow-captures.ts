import type { Migration } from './migration.ts';

/** Captures of a session that took too long after a step was shown. */
export const slowCaptures: Migration = {
  version: 47,
  name: 'slow captures',
  sql: `
-- Since the last failed attempt. The first is free, the next costs an attempt.
ALTER TABLE sessions ADD COLUMN slow_captures INTEGER NOT NULL DEFAULT 0;
`,
};

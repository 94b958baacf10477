import type { Migration } from './migration.ts';

/** The reviewer whom a case is assigned to. */
export const reviewAssignment: Migration = {
  version: 35,
  name: 'review assignment',
  sql: `
ALTER TABLE review_cases ADD COLUMN assigned_to TEXT REFERENCES operators (id);
ALTER TABLE review_cases ADD COLUMN assigned_at INTEGER;
`,
};

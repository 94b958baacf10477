import type { Migration } from './migration.ts';

/** The steps that a session's captures ask for, in that order until there is a verdict. */
export const stepOrder: Migration = {
  version: 44,
  name: 'step order',
  sql: `
-- Steps with a space between them; null until the first capture, and after a verdict that allows another attempt.
ALTER TABLE sessions ADD COLUMN step_order TEXT;
`,
};

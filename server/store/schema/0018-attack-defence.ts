import type { Migration } from './migration.ts';

/** The tints that a challenge asks the page to show, JSON; null for earlier challenges. */
export const attackDefence: Migration = {
  version: 18,
  name: 'attack defence',
  sql: `
ALTER TABLE challenges ADD COLUMN tints TEXT;
`,
};

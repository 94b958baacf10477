import type { Migration } from './migration.ts';

/**
 * A phone's tries for the number on the desktop. Ends unconfirmed handoffs, because their phones were told the number.
 * The desktop offers a new code.
 */
export const handoffTries: Migration = {
  version: 21,
  name: 'hand-off tries',
  sql: `
DELETE FROM handoffs WHERE confirmed_at IS NULL;
ALTER TABLE handoffs ADD COLUMN tries_left INTEGER NOT NULL DEFAULT 3;
`,
};

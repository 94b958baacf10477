import type { Migration } from './migration.ts';

/**
 * Tries that a phone has for the number on the desktop. Unconfirmed hand-offs end: their phones were told the number. The
 * desktop offers a new code.
 */
export const handoffTries: Migration = {
  version: 21,
  name: 'hand-off tries',
  sql: `
DELETE FROM handoffs WHERE confirmed_at IS NULL;
ALTER TABLE handoffs ADD COLUMN tries_left INTEGER NOT NULL DEFAULT 3;
`,
};

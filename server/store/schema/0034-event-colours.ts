import type { Migration } from './migration.ts';

/** The venue's colour on the screens of an event's kiosks. */
export const eventColours: Migration = {
  version: 34,
  name: 'event colours',
  sql: `
-- '#rrggbb'; null for the product's own.
ALTER TABLE events ADD COLUMN colour TEXT;
`,
};

import type { Migration } from './migration.ts';

/** Kiosks through which guests leave. */
export const wayOut: Migration = {
  version: 67,
  name: 'way out',
  sql: `
ALTER TABLE kiosks ADD COLUMN way_out INTEGER NOT NULL DEFAULT 0;
`,
};

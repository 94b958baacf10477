import type { Migration } from './migration.ts';

/** Further origins that may embed a verification's live checks, JSON. */
export const embedOrigins: Migration = {
  version: 19,
  name: 'embed origins',
  sql: `
ALTER TABLE verifications ADD COLUMN embed_origins TEXT NOT NULL DEFAULT '[]';
`,
};

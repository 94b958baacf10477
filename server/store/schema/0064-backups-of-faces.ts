import type { Migration } from './migration.ts';

/** What became of the backups that were made while an event's faces were there. */
export const backupsOfFaces: Migration = {
  version: 64,
  name: 'backups of faces',
  sql: `
-- JSON; null until they are replaced.
ALTER TABLE event_face_ends ADD COLUMN backups TEXT;
`,
};

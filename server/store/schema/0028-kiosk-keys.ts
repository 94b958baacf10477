import type { Migration } from './migration.ts';

/** The key that a kiosk made when it was paired; its captures count as trusted when they are signed with it. */
export const kioskKeys: Migration = {
  version: 28,
  name: 'kiosk keys',
  sql: `
-- P-256, uncompressed point; null for a kiosk that has none.
ALTER TABLE kiosks ADD COLUMN public_key BLOB;
`,
};

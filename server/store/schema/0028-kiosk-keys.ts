import type { Migration } from './migration.ts';

/** The key that a kiosk created when it was paired; captures signed with it count as trusted. */
export const kioskKeys: Migration = {
  version: 28,
  name: 'kiosk keys',
  sql: `
-- P-256, uncompressed point; null for a kiosk that has none.
ALTER TABLE kiosks ADD COLUMN public_key BLOB;
`,
};

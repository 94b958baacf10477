import type { Migration } from './migration.ts';

/**
 * A capture's requests are drawn one by one while it runs, so its row only contains the nonce that settles the
 * session.
 */
export const captureNonces: Migration = {
  version: 31,
  name: 'capture nonces',
  sql: `
ALTER TABLE challenges DROP COLUMN mode;
ALTER TABLE challenges DROP COLUMN steps;
ALTER TABLE challenges DROP COLUMN tints;
`,
};

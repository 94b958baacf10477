import type { Migration } from './migration.ts';

/**
 * Signatures of frames are looked up by their parts; before, all of a day were read for each verdict. They are data about
 * people and kept for the day in which they are compared, the hashes of bytes for 30. The old column stays for a node of the
 * version before, which runs beside this one during an upgrade; it has the hash instead of a signature, and is ignored.
 */
export const seenSignatures: Migration = {
  version: 37,
  name: 'seen signatures',
  sql: `
CREATE TABLE seen_signatures (
  part BLOB NOT NULL,
  signature BLOB NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (part, signature)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_signatures_age ON seen_signatures (seen_at);
UPDATE seen_frames SET signature = sha256;
`,
};

import type { Migration } from './migration.ts';

/**
 * The replay memory spans the installation and holds hashes alone: no company, no session, the time to the hour. What
 * was seen before the upgrade stays known.
 */
export const erasureAndReplay: Migration = {
  version: 24,
  name: 'erasure-and-replay',
  sql: `
CREATE TABLE seen_frames (
  sha256 BLOB PRIMARY KEY,
  signature BLOB NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_frames_age ON seen_frames (seen_at);
INSERT INTO seen_frames (sha256, signature, seen_at)
  SELECT sha256, fingerprint, MAX(created_at) / 3600000 * 3600000 FROM frame_fingerprints GROUP BY sha256;
DROP TABLE frame_fingerprints;
`,
};

import type { Migration } from './migration.ts';

/**
 * The replay memory covers the installation and stores only hashes: no company, no session, the time to the hour.
 * Frames from before the upgrade stay known. The indexes are for erasing a person, which would otherwise read whole
 * tables.
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
  SELECT sha256, fingerprint, created_at / 3600000 * 3600000 FROM (
    SELECT sha256, fingerprint, created_at, ROW_NUMBER() OVER (PARTITION BY sha256 ORDER BY created_at DESC) AS place
    FROM frame_fingerprints) AS frames
  WHERE place = 1;
DROP TABLE frame_fingerprints;

CREATE INDEX passes_group ON passes (company_id, partition, group_id) WHERE group_id IS NOT NULL;
CREATE INDEX usage_outcomes_group ON usage_outcomes (company_id, partition, group_id);
CREATE INDEX my_sessions_number ON my_sessions (number);
CREATE INDEX invites_identity ON invites (company_id, partition, json_extract(request, '$.identity.identifier'))
  WHERE json_extract(request, '$.identity.identifier') IS NOT NULL;
CREATE INDEX invites_external ON invites (company_id, partition, json_extract(request, '$.externalId'))
  WHERE json_extract(request, '$.externalId') IS NOT NULL;
`,
};

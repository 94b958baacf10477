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

/** One-time links that move a run from a browser without a camera to another one. */
export const continuations: Migration = {
  version: 26,
  name: 'continuations',
  sql: `
CREATE TABLE continuations (
  code_hash BLOB PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- The flow token of the browser that offered the link, and of the one that took it.
  from_token_hash BLOB NOT NULL,
  to_token_hash BLOB,
  resume_key_hash BLOB,
  offered_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  taken_at INTEGER
) STRICT;
CREATE INDEX continuations_from ON continuations (session_id, from_token_hash);
`,
};

/** The capture that a session is being judged by, and when its lease expires if the process is killed. */
export const checkingLease: Migration = {
  version: 27,
  name: 'checking lease',
  sql: `
-- The nonce of the capture, hashed, and epoch milliseconds; null where nothing is being judged.
ALTER TABLE sessions ADD COLUMN checking_nonce BLOB;
ALTER TABLE sessions ADD COLUMN checking_until INTEGER;
CREATE INDEX sessions_checking ON sessions (checking_until) WHERE checking_until IS NOT NULL;
`,
};

/** The key that a kiosk created when it was paired; captures signed with it count as trusted. */
export const kioskKeys: Migration = {
  version: 28,
  name: 'kiosk keys',
  sql: `
-- P-256, uncompressed point; null for a kiosk that has none.
ALTER TABLE kiosks ADD COLUMN public_key BLOB;
`,
};

/** The nodes that serve one installation, and the keys that its sealed columns use. Both stay empty on SQLite. */
export const nodes: Migration = {
  version: 29,
  name: 'nodes',
  sql: `
CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  -- Of the machine.
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  -- The key that the node seals with, by its id.
  key_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('serving', 'draining')),
  is_leader INTEGER NOT NULL CHECK (is_leader IN (0, 1)),
  -- Changes of faces that the node's index has not read yet.
  index_lag INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;

CREATE TABLE secret_keys (
  id TEXT PRIMARY KEY
) STRICT;
`,
};

/**
 * Entries used to form one chain. Later entries form a chain for each company and one for the installation, because
 * companies write at the same time on PostgreSQL. Every new chain begins at the end of the old one.
 */
export const auditChains: Migration = {
  version: 30,
  name: 'audit chains',
  sql: `
INSERT INTO settings (name, value)
  SELECT 'audit_chains_since', seq || '' FROM (SELECT MAX(seq) AS seq FROM audit_entries) AS last WHERE seq IS NOT NULL;
`,
};

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

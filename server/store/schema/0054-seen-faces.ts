import type { Migration } from './migration.ts';

/**
 * Faces of the resting stills of a day's captures, by which an old still is recognised that was cropped or turned. They are
 * biometric data: each is encrypted with the key of its day and found by parts that were hashed with it, so nothing of them
 * can be read once the key is deleted. They end with their session.
 */
export const seenFaces: Migration = {
  version: 54,
  name: 'seen faces',
  sql: `
-- key is sealed.
CREATE TABLE seen_face_keys (
  day INTEGER PRIMARY KEY,
  key BLOB NOT NULL
) STRICT;
CREATE TABLE seen_faces (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  day INTEGER NOT NULL REFERENCES seen_face_keys (day) ON DELETE CASCADE,
  vector BLOB NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX seen_faces_session ON seen_faces (session_id);
CREATE INDEX seen_faces_day ON seen_faces (day);
CREATE INDEX seen_faces_age ON seen_faces (seen_at);
CREATE TABLE seen_face_parts (
  part BLOB NOT NULL,
  face_id TEXT NOT NULL REFERENCES seen_faces (id) ON DELETE CASCADE,
  PRIMARY KEY (part, face_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_face_parts_face ON seen_face_parts (face_id);
`,
};

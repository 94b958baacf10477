/** Faces of resting stills of the last 24 hours in the whole installation, and the keys of their days. */
import { type DeletionTime, olderThan } from '../../domain/clock.ts';
import { deleteSome, insertRows, insertUnlessThere, placesFor } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

const DAY_MS = 86_400_000;
/** Faces are compared for this long. */
const SEEN_MS = DAY_MS;
/** Far more than share a part by chance among the faces of a busy day; beyond it, the newest are compared. */
const MOST_CANDIDATES = 2_000;

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

type DayKey = { day: number; key: Uint8Array };
type SeenFace = { id: string; day: number; vector: Uint8Array };

/** Keys of the days whose faces are still compared: today's and yesterday's, if there are any. */
export async function findDayKeys(db: SqlReader, now: number): Promise<DayKey[]> {
  const rows = await db.all<DayKey>(
    'SELECT day, key FROM seen_face_keys WHERE day BETWEEN ? AND ?',
    dayOf(now - SEEN_MS),
    dayOf(now),
  );
  return rows.map(({ day, key }) => ({ day, key: db.secrets.open('seen_face_keys.key', [day], key) }));
}

/** Two nodes that begin a day together keep one key: the caller reads which. */
export async function insertDayKey(tx: SqlTx, { day, key }: DayKey): Promise<void> {
  const sealed = tx.secrets.seal('seen_face_keys.key', [day], key);
  await insertUnlessThere(tx, 'seen_face_keys', { day, key: sealed });
}

/** Different faces that have one of these parts and were seen up to 24 hours before `now`, the newest first. */
export const findSeenFaces = (
  db: SqlReader,
  parts: readonly Uint8Array[],
  now: number,
): Promise<SeenFace[]> =>
  db.all<SeenFace>(
    `SELECT id, day, vector FROM seen_faces
     WHERE seen_at >= ? AND id IN (SELECT face_id FROM seen_face_parts WHERE part IN (${placesFor(parts)}))
     ORDER BY seen_at DESC LIMIT ?`,
    now - SEEN_MS,
    ...parts,
    MOST_CANDIDATES,
  );

/** @param faces with different parts each */
export async function insertSeenFaces(
  tx: SqlTx,
  sessionId: string,
  faces: readonly (SeenFace & { parts: readonly Uint8Array[] })[],
  at: number,
): Promise<void> {
  await insertRows(
    tx,
    'seen_faces',
    faces.map(({ id, day, vector }) => ({ id, session_id: sessionId, day, vector, seen_at: at })),
  );
  const parts = faces.flatMap((face) => face.parts.map((part) => ({ part, face_id: face.id })));
  await insertRows(tx, 'seen_face_parts', parts);
}

/** Deletes faces that are not compared any more, at most `limit`, and the keys of days that have none. Returns faces removed. */
export async function deleteOldFaces(tx: SqlTx, time: DeletionTime, limit: number): Promise<number> {
  const before = olderThan(time, SEEN_MS);
  const old = { table: 'seen_faces', key: 'id', where: 'seen_at < ?' };
  const removed = await deleteSome(tx.run, old, [before], limit);
  await tx.run(
    'DELETE FROM seen_face_keys WHERE day < ? AND NOT EXISTS (SELECT 1 FROM seen_faces f WHERE f.day = seen_face_keys.day)',
    dayOf(before),
  );
  return removed;
}

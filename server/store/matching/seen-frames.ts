/**
 * Frames of earlier captures in the whole installation: only hashes. No row names a company, a partition, a session or
 * a person, and the time is rounded to the hour, so that it cannot be traced to a run.
 */
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type SeenFrame = {
  sha256: Uint8Array;
  /** See `domain/frame-signature.ts`. */
  signature: Uint8Array;
};

const HOUR_MS = 3_600_000;
const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

/** The hashes whose bytes occurred before. */
export async function findSeenBytes(db: SqlReader, hashes: readonly Uint8Array[]): Promise<Uint8Array[]> {
  if (hashes.length === 0) return [];
  const places = hashes.map(() => '?').join(', ');
  const rows = await db.all<{ sha256: Uint8Array }>(
    `SELECT sha256 FROM seen_frames WHERE sha256 IN (${places})`,
    ...hashes,
  );
  return rows.map(({ sha256 }) => sha256);
}

/** Frames since a time (epoch milliseconds, rounded down to the hour), newest first. */
export function listSeenFramesSince(db: SqlReader, since: number, limit: number): Promise<SeenFrame[]> {
  return db.all<SeenFrame>(
    'SELECT sha256, signature FROM seen_frames WHERE seen_at >= ? ORDER BY seen_at DESC LIMIT ?',
    hourOf(since),
    limit,
  );
}

/**
 * False if the bytes of one of them are already stored, because another capture won the race. The hashes must differ.
 */
export async function insertSeenFrames(
  tx: SqlTx,
  frames: readonly SeenFrame[],
  at: number,
): Promise<boolean> {
  if (frames.length === 0) return true;
  const inserted = await tx.run(
    `INSERT INTO seen_frames (sha256, signature, seen_at) VALUES ${frames.map(() => '(?, ?, ?)').join(', ')}
     ON CONFLICT DO NOTHING`,
    ...frames.flatMap(({ sha256, signature }) => [sha256, signature, hourOf(at)]),
  );
  return inserted === frames.length;
}

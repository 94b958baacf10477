/**
 * Frames that were uploaded before, over the whole installation: hashes alone. Nothing here names a company, a partition,
 * a session or a person, and the time is kept to the hour, so that a row cannot be traced to a run.
 */
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type SeenFrame = {
  sha256: Uint8Array;
  /** See `domain/frame-signature.ts`. */
  signature: Uint8Array;
};

const HOUR_MS = 3_600_000;
const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

/** Whether these very bytes came before. */
export async function frameBytesSeen(db: SqlReader, sha256: Uint8Array): Promise<boolean> {
  return (await db.one('SELECT 1 AS seen FROM seen_frames WHERE sha256 = ?', sha256)) !== undefined;
}

/** Frames since a time (epoch milliseconds, rounded down to the hour), newest first. */
export function listSeenFramesSince(db: SqlReader, since: number, limit: number): Promise<SeenFrame[]> {
  return db.all<SeenFrame>(
    'SELECT sha256, signature FROM seen_frames WHERE seen_at >= ? ORDER BY seen_at DESC LIMIT ?',
    hourOf(since),
    limit,
  );
}

/** False when the same bytes are there already: another upload of them won the race. */
export async function insertSeenFrame(tx: SqlTx, frame: SeenFrame & { at: number }): Promise<boolean> {
  const changes = await tx.run(
    'INSERT INTO seen_frames (sha256, signature, seen_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    frame.sha256,
    frame.signature,
    hourOf(frame.at),
  );
  return changes === 1;
}

/**
 * Frames received before: the same bytes, or the same picture re-encoded within a day. In any company and partition.
 */
import type { FrameEvidence } from '../../domain/capture/evidence.ts';
import { frameSignature, isSameFrame } from '../../domain/capture/frame-signature.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { findSeenBytes, insertSeenFrames, listSeenFramesSince } from '../../store/matching/seen-frames.ts';

const LOOK_BACK_MS = 24 * 3_600_000;
/** The captures of a busy day. Beyond that the newest are compared. */
const MOST_COMPARED = 100_000;

const bytesOf = (frame: FrameEvidence): Uint8Array => Buffer.from(frame.sha256, 'hex');

/** For each frame, whether this installation has received it before. */
export async function framesSeenBefore(
  db: SqlReader,
  frames: readonly FrameEvidence[],
  nowMs: number,
): Promise<boolean[]> {
  const [recent, known] = await Promise.all([
    listSeenFramesSince(db, nowMs - LOOK_BACK_MS, MOST_COMPARED),
    findSeenBytes(db, frames.map(bytesOf)),
  ]);
  const knownBytes = new Set(known.map((sha256) => Buffer.from(sha256).toString('hex')));
  return frames.map((frame) => {
    if (knownBytes.has(frame.sha256)) return true;
    const signature = frameSignature(frame);
    const aspect = frame.width / frame.height;
    return recent.some((earlier) => isSameFrame(signature, earlier.signature, aspect));
  });
}

/** Stores a capture's frames. True if all were new; false if another capture with the same bytes won a race. */
export async function rememberFrames(
  tx: SqlTx,
  frames: readonly FrameEvidence[],
  at: number,
): Promise<boolean> {
  const distinct = [...new Map(frames.map((frame) => [frame.sha256, frame])).values()];
  const seen = distinct.map((frame) => ({ sha256: bytesOf(frame), signature: frameSignature(frame) }));
  return insertSeenFrames(tx, seen, at);
}

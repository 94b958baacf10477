/** Frames that came before: the same bytes at any time, or the same picture re-encoded within a day. */
import type { FrameEvidence } from '../domain/evidence.ts';
import { frameSignature, isSameFrame } from '../domain/frame-signature.ts';
import type { Scope } from '../domain/scope.ts';
import { frameBytesSeen, insertFingerprint, listFingerprintsSince } from '../store/frame-fingerprints.ts';
import type { SqlReader, SqlTx } from '../store/port.ts';
import type { Session } from '../store/sessions.ts';

const LOOK_BACK_MS = 24 * 3_600_000;
/** A busy day's captures; beyond that the newest are compared. */
const MOST_COMPARED = 100_000;

const bytesOf = (frame: FrameEvidence): Uint8Array => Buffer.from(frame.sha256, 'hex');

/** For each frame, whether it was uploaded to this scope before. */
export async function framesSeenBefore(
  db: SqlReader,
  scope: Scope,
  frames: readonly FrameEvidence[],
  nowMs: number,
): Promise<boolean[]> {
  const recent = await listFingerprintsSince(db, scope, nowMs - LOOK_BACK_MS, MOST_COMPARED);
  return Promise.all(
    frames.map(async (frame) => {
      if (await frameBytesSeen(db, scope, bytesOf(frame))) return true;
      const signature = frameSignature(frame);
      const aspect = frame.width / frame.height;
      return recent.some((earlier) => isSameFrame(signature, earlier.fingerprint, aspect));
    }),
  );
}

/** Remembers a capture's frames; true when all were new, false when another upload of the same bytes won a race. */
export async function rememberFrames(
  tx: SqlTx,
  session: Session,
  frames: readonly FrameEvidence[],
  at: number,
): Promise<boolean> {
  let allNew = true;
  const distinct = new Map(frames.map((frame) => [frame.sha256, frame]));
  for (const frame of distinct.values()) {
    const inserted = await insertFingerprint(tx, session.scope, {
      sha256: bytesOf(frame),
      fingerprint: frameSignature(frame),
      sessionId: session.id,
      at,
    });
    allNew &&= inserted;
  }
  return allNew;
}

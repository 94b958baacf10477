/**
 * Frames received before: the same bytes within 30 days, or within a day the same picture re-encoded, or a resting still of
 * it with the same face. In any company and partition.
 */
import type { FrameEvidence } from '../../domain/capture/evidence.ts';
import { frameSignature, isSameFrame, partsOf } from '../../domain/capture/frame-signature.ts';
import { inBatches } from '../ports/batches.ts';
import type { Ports } from '../ports/ports.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { deleteOldFaces } from '../../store/matching/seen-faces.ts';
import {
  deleteOldSignatures,
  findSeenBytes,
  findSeenSignatures,
  insertSeenFrames,
  insertSeenSignatures,
} from '../../store/matching/seen-frames.ts';
import { facesSeenBefore, type RestingFaces } from './seen-faces.ts';

const bytesOf = (frame: FrameEvidence): Uint8Array => Buffer.from(frame.sha256, 'hex');
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const distinct = (values: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(values.map((value) => [hexOf(value), value])).values(),
];

/**
 * For each frame, whether this installation has received it before.
 * @param restingFaces of the first frames; left out where no faces are remembered
 */
export async function framesSeenBefore(
  db: SqlReader,
  frames: readonly FrameEvidence[],
  nowMs: number,
  restingFaces?: RestingFaces,
): Promise<boolean[]> {
  const pictures = frames.map((frame) => ({
    signature: frameSignature(frame),
    aspect: frame.width / frame.height,
  }));
  const [known, isSeen, isFaceSeen] = await Promise.all([
    findSeenBytes(db, frames.map(bytesOf)),
    signaturesSeenBefore(db, pictures, nowMs),
    restingFaces ? facesSeenBefore(db, restingFaces, nowMs) : [],
  ]);
  const knownBytes = new Set(known.map(hexOf));
  return frames.map(
    ({ sha256 }, place) => knownBytes.has(sha256) || isSeen[place] === true || isFaceSeen[place] === true,
  );
}

/** A frame's signature, and the frame's width divided by its height. */
type FramePicture = { signature: Uint8Array; aspect: number };

/**
 * The same answers as comparing every stored signature, from one look-up in an index.
 * @param nowMs epoch milliseconds
 */
export async function signaturesSeenBefore(
  db: SqlReader,
  pictures: readonly FramePicture[],
  nowMs: number,
): Promise<boolean[]> {
  const parts = distinct(pictures.flatMap(({ signature }) => partsOf(signature)));
  const candidates = parts.length === 0 ? [] : await findSeenSignatures(db, parts, nowMs);
  return pictures.map(({ signature, aspect }) =>
    candidates.some((earlier) => isSameFrame(signature, earlier, aspect)),
  );
}

/** Stores a capture's frames. True if all were new; false if another capture with the same bytes won a race. */
export async function rememberFrames(
  tx: SqlTx,
  frames: readonly FrameEvidence[],
  at: number,
): Promise<boolean> {
  await rememberSignatures(tx, frames.map(frameSignature), at);
  return insertSeenFrames(tx, distinct(frames.map(bytesOf)), at);
}

/** Stores signatures, or that they were seen again. */
export async function rememberSignatures(
  tx: SqlTx,
  signatures: readonly Uint8Array[],
  at: number,
): Promise<void> {
  // Sorted, so that two transactions that store the same pictures cannot wait for each other.
  const parts = distinct(signatures)
    .flatMap((signature) => partsOf(signature).map((part) => ({ part, signature })))
    .sort((a, b) => Buffer.compare(a.part, b.part) || Buffer.compare(a.signature, b.signature));
  await insertSeenSignatures(tx, parts, at);
}

/**
 * Deletes signatures and faces that are not compared any more. They are data about faces, so this does not wait for the
 * night. Returns rows removed.
 */
export async function forgetSignatures({ db, deletions }: Pick<Ports, 'db' | 'deletions'>): Promise<number> {
  const time = deletions.deletionTime();
  if (time === null) return 0;
  const lock = { companyId: null };
  return (
    (await inBatches(db, (tx, limit) => deleteOldSignatures(tx, time, limit), { lock })) +
    (await inBatches(db, (tx, limit) => deleteOldFaces(tx, time, limit), { lock }))
  );
}

/**
 * Whether the frames are pictures rather than a person: the same picture twice, a picture without movement, or
 * pictures from an earlier capture. This does not detect a still filmed by hand, because every frame has its
 * own bytes, noise and motion; the steps and the shape of the turn detect that.
 */
import type { FrameEvidence } from './evidence.ts';
import { hammingDistance } from './frame-signature.ts';
import type { LivenessFinding } from './liveness-findings.ts';
import type { Segments } from './liveness-segments.ts';
import { STILLS } from './liveness-thresholds.ts';

/** @param seenBefore for each frame, resting ones first, whether its bytes or its picture occurred in an earlier capture */
export function stillFindings(segments: Segments, seenBefore: readonly boolean[]): LivenessFinding[] {
  const findings: LivenessFinding[] = [];
  if (hasDuplicates(segments)) findings.push('duplicate_frames');
  const ofRest = seenBefore.slice(0, segments.neutral.length);
  if (isReplay(seenBefore) || isReplay(ofRest)) findings.push('replayed_frames');
  return findings;
}

/** Resting stills count alone as well: with old ones, only the steps would have to be answered afresh. */
function isReplay(seenBefore: readonly boolean[]): boolean {
  const known = seenBefore.filter(Boolean).length;
  return known > 0 && known >= STILLS.replayShare * seenBefore.length;
}

function hasDuplicates({ neutral, steps, all }: Segments): boolean {
  if (new Set(all.map(({ evidence }) => evidence.sha256)).size < all.length) return true;
  const parts = [neutral, ...steps].map((frames) => frames.map(({ evidence }) => evidence));
  return acrossParts(parts) || stillInEveryPart(parts) || nothingMoved(parts.flat());
}

/** A person who moved in between never returns to within a fraction of a millimetre. */
const acrossParts = (parts: readonly FrameEvidence[][]): boolean =>
  parts.some((part, index) =>
    part.some((frame) =>
      parts.slice(0, index).some((earlier) => earlier.some((other) => samePicture(frame, other))),
    ),
  );

/** Two frames a tenth of a second apart may match by chance, but not in the neutral and in every step. */
const stillInEveryPart = (parts: readonly FrameEvidence[][]): boolean =>
  parts.every((part) => {
    const [first, ...others] = part;
    return first !== undefined && others.length > 0 && others.every((other) => samePicture(first, other));
  });

function nothingMoved([first, ...others]: readonly FrameEvidence[]): boolean {
  return (
    first !== undefined &&
    others.length > 0 &&
    others.every((other) => shift(first, other) < STILLS.minMotion)
  );
}

const samePicture = (a: FrameEvidence, b: FrameEvidence): boolean =>
  hammingDistance(a.fingerprint, b.fingerprint) <= STILLS.maxSameBits && shift(a, b) <= STILLS.maxSameShift;

/** Root mean square distance of the landmarks, in interocular distances; infinite if a face is missing. */
function shift(a: FrameEvidence, b: FrameEvidence): number {
  if (!a.face || !b.face) return Infinity;
  const [p, q] = [a.face.landmarks, b.face.landmarks];
  let squares = 0;
  for (let i = 0; i < p.length; i++) squares += ((p[i] ?? 0) - (q[i] ?? 0)) ** 2;
  return Math.sqrt((2 * squares) / p.length) / Math.max(1, a.face.interocularPx);
}

/**
 * The signature that recognises a frame after re-encoding: the picture's difference hash and the positions of
 * five parts of the face. In front of the same wall the hash alone is not enough: two captures of one person at
 * a kiosk often share it, but nobody returns to the same place to within a millimetre.
 *
 * A store finds the signatures of one picture by their parts: the hash has more parts than bits that may differ, so at
 * least one part of it is equal (pigeonhole principle).
 */
import type { FrameEvidence } from './evidence.ts';

const HASH_BYTES = 32;
/** Each anchor is the mean of these landmarks: eyes, nose tip, mouth corners, chin (iBUG indices). */
const ANCHORS = [[36, 37, 38, 39, 40, 41], [42, 43, 44, 45, 46, 47], [30], [48, 54], [8]] as const;
const STEPS_PER_SIDE = 65_535;
export const SIGNATURE_BYTES = HASH_BYTES + 4 * ANCHORS.length;

/** Bits of 256. Re-encoding, scaling or brightening a frame changes at most 5, usually none or one. */
export const MAX_HASH_BITS = 3;
const PARTS = MAX_HASH_BITS + 1;
/**
 * Root mean square over the anchors, in interocular distances. Re-encoding moves those of 95 frames in 100 by less than 0.009.
 * At 0.015, three of four resting stills were taken for earlier ones in 1.3 % of the captures of somebody who had not moved from
 * the spot; at 0.01 in none of 240.
 */
const MAX_SHIFT = 0.01;

/**
 * The hash, then x and y of each anchor as 16-bit shares of width and height, big-endian; zeros without a face.
 */
export function frameSignature({ fingerprint, face, width, height }: FrameEvidence): Uint8Array {
  const signature = new Uint8Array(SIGNATURE_BYTES);
  signature.set(fingerprint.subarray(0, HASH_BYTES));
  if (!face) return signature;
  const view = new DataView(signature.buffer, HASH_BYTES);
  ANCHORS.forEach((points, place) => {
    const mean = (axis: 0 | 1) =>
      points.reduce((sum, index) => sum + (face.landmarks[2 * index + axis] ?? 0), 0) / points.length;
    view.setUint16(4 * place, inSteps(mean(0) / width));
    view.setUint16(4 * place + 2, inSteps(mean(1) / height));
  });
  return signature;
}

/**
 * What a signature is stored and searched under: the number of the part in a byte, then every fourth byte of the hash, so
 * that each part has bytes of the face and not only of the wall.
 */
export const partsOf = (signature: Uint8Array): Uint8Array[] =>
  Array.from({ length: PARTS }, (_, part) =>
    Uint8Array.of(
      part,
      ...signature.subarray(0, HASH_BYTES).filter((_byte, index) => index % PARTS === part),
    ),
  );

/**
 * Whether two signatures are of one picture, perhaps re-encoded.
 * @param aspect width divided by height of the frames
 */
export function isSameFrame(a: Uint8Array, b: Uint8Array, aspect: number): boolean {
  if (a.length !== SIGNATURE_BYTES || b.length !== SIGNATURE_BYTES) return false;
  if (hammingDistance(a.subarray(0, HASH_BYTES), b.subarray(0, HASH_BYTES)) > MAX_HASH_BITS) return false;
  const [p, q] = [anchorsOf(a, aspect), anchorsOf(b, aspect)];
  const squares = p.reduce(
    (sum, { x, y }, place) => sum + (x - (q[place]?.x ?? 0)) ** 2 + (y - (q[place]?.y ?? 0)) ** 2,
    0,
  );
  const [right, left] = p;
  const interocular = right && left ? Math.hypot(left.x - right.x, left.y - right.y) : 0;
  return Math.sqrt(squares / p.length) <= MAX_SHIFT * interocular;
}

const inSteps = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * STEPS_PER_SIDE);

/** In shares of the frame's height. */
function anchorsOf(signature: Uint8Array, aspect: number): { x: number; y: number }[] {
  const view = new DataView(signature.buffer, signature.byteOffset + HASH_BYTES, 4 * ANCHORS.length);
  return ANCHORS.map((_, place) => ({
    x: (view.getUint16(4 * place) / STEPS_PER_SIDE) * aspect,
    y: view.getUint16(4 * place + 2) / STEPS_PER_SIDE,
  }));
}

const POPCOUNT = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Bits in which two hashes of equal length differ. */
export function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  let bits = 0;
  for (let i = 0; i < a.length; i++) bits += POPCOUNT[((a[i] ?? 0) ^ (b[i] ?? 0)) & 0xff] ?? 0;
  return bits;
}

/**
 * Bits of 256 in which two difference hashes of one picture differ at most after re-encoding. Two frames of a living
 * person before the same wall differ in more.
 */
const SAME_PICTURE_BITS = 3;

/** Whether two 256-bit difference hashes are of one picture, perhaps re-encoded. */
export function isSamePicture(a: Uint8Array, b: Uint8Array): boolean {
  return hammingDistance(a, b) <= SAME_PICTURE_BITS;
}

export function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  let bits = 0;
  for (let i = 0; i < a.length; i++) bits += POPCOUNT[((a[i] ?? 0) ^ (b[i] ?? 0)) & 0xff] ?? 0;
  return bits;
}

const POPCOUNT = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

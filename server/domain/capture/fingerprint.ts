/** Bits in which two hashes of equal length differ. */
export function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  let bits = 0;
  for (let i = 0; i < a.length; i++) bits += POPCOUNT[((a[i] ?? 0) ^ (b[i] ?? 0)) & 0xff] ?? 0;
  return bits;
}

const POPCOUNT = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

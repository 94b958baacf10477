/**
 * Apart from the tints, because the threads of the face engine need it and should not load the contract's schemas.
 * @param encoded an sRGB channel, 0 to 1 @returns its linear light, 0 to 1 (IEC 61966-2-1)
 */
export function linearLight(encoded: number): number {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}

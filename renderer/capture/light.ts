/** Luminance of small RGBA pictures. */

/** Mean and standard deviation of Rec. 601 luma, 0 to 255. @param rgba 4 bytes a pixel */
export function lumaStatistics(rgba: Uint8ClampedArray): { mean: number; spread: number } {
  const count = rgba.length / 4;
  if (count === 0) return { mean: 0, spread: 0 };
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    const luma = 0.299 * (rgba[i] ?? 0) + 0.587 * (rgba[i + 1] ?? 0) + 0.114 * (rgba[i + 2] ?? 0);
    sum += luma;
    squares += luma * luma;
  }
  const mean = sum / count;
  return { mean, spread: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}

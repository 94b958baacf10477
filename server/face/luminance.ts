import type { Planes } from './resample.ts';

/** Rec. 601 luma, 0 to 255, row by row. */
export function luminance({ data, width, height }: Planes): Float32Array {
  const plane = width * height;
  const out = new Float32Array(plane);
  for (let i = 0; i < plane; i++) {
    out[i] =
      0.299 * (data[i] as number) +
      0.587 * (data[plane + i] as number) +
      0.114 * (data[2 * plane + i] as number);
  }
  return out;
}

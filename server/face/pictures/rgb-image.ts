/** A decoded picture and its halvings. Pixels are interleaved RGB, 0 to 255, rows from the top. */
export type PixelGrid = { data: Uint8Array; width: number; height: number };

/**
 * A picture that provides itself halved k times, made once and only on demand. Crops read from the level nearest to
 * their own scale, which avoids aliasing without reading every pixel again.
 */
export type RgbImage = PixelGrid & {
  /** The picture at 1/2^k of its size; the last level that is at least one pixel wide and high if k is too deep. */
  level(k: number): PixelGrid & { factor: number };
};

export function rgbImage(grid: PixelGrid): RgbImage {
  const levels: PixelGrid[] = [grid];
  return {
    ...grid,
    level(k) {
      let last = levels.at(-1) ?? grid;
      while (levels.length <= k && last.width > 1 && last.height > 1) {
        last = halve(last);
        levels.push(last);
      }
      const index = Math.max(0, Math.min(k, levels.length - 1));
      return { ...(levels[index] ?? grid), factor: 2 ** index };
    },
  };
}

/** Mean of each 2 × 2 block; an odd last row or column is dropped. */
function halve({ data, width, height }: PixelGrid): PixelGrid {
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const out = new Uint8Array(halfWidth * halfHeight * 3);
  let o = 0;
  for (let y = 0; y < halfHeight; y++) {
    let upper = 2 * y * width * 3;
    let lower = upper + width * 3;
    for (let x = 0; x < halfWidth; x++) {
      // Unrolled, because every pixel of every frame passes here.
      out[o] = (at(data, upper) + at(data, upper + 3) + at(data, lower) + at(data, lower + 3) + 2) >> 2;
      out[o + 1] =
        (at(data, upper + 1) + at(data, upper + 4) + at(data, lower + 1) + at(data, lower + 4) + 2) >> 2;
      out[o + 2] =
        (at(data, upper + 2) + at(data, upper + 5) + at(data, lower + 2) + at(data, lower + 5) + 2) >> 2;
      o += 3;
      upper += 6;
      lower += 6;
    }
  }
  return { data: out, width: halfWidth, height: halfHeight };
}

/** Indices below are in range by construction; this satisfies the compiler at no cost. */
function at(data: Uint8Array, index: number): number {
  return data[index] as number;
}

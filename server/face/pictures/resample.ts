/** Crops and warps a picture into the small planar pictures that the models take. */
import type { RgbImage } from './rgb-image.ts';

/** Three planes R, G, B of width × height values, 0 to 255. */
export type Planes = { data: Float32Array; width: number; height: number };

/**
 * In pixels of the picture; its corner (0, 0) is the outer corner of the first pixel. May extend beyond the picture.
 */
export type Rect = { x: number; y: number; width: number; height: number };

export function planes(width: number, height: number): Planes {
  return { data: new Float32Array(3 * width * height), width, height };
}

/** For each output position: the run of source pixels that it averages, and their weights. */
type Taps = { first: Int32Array; count: Int32Array; weights: Float32Array; stride: number };

/**
 * Tent filter as wide as two output pixels (at least two source pixels). Output 0 is centred on the first source
 * pixel, as in the crops that the thresholds were measured with. Positions outside the source stay empty.
 */
function tentTaps(start: number, span: number, outputs: number, limit: number, shift: number): Taps {
  const step = span / outputs;
  const radius = Math.max(1, step);
  const stride = Math.ceil(2 * radius) + 1;
  const first = new Int32Array(outputs);
  const count = new Int32Array(outputs);
  const weights = new Float32Array(outputs * stride);
  for (let i = 0; i < outputs; i++) {
    const centre = start + shift + i * step;
    if (centre < 0 || centre >= limit) continue;
    const from = Math.max(0, Math.ceil(centre - radius - 0.5));
    const to = Math.min(limit - 1, Math.floor(centre + radius - 0.5));
    let sum = 0;
    for (let j = from; j <= to; j++) sum += radius - Math.abs(j + 0.5 - centre);
    first[i] = from;
    count[i] = to - from + 1;
    for (let j = from; j <= to; j++) {
      weights[i * stride + j - from] = (radius - Math.abs(j + 0.5 - centre)) / sum;
    }
  }
  return { first, count, weights, stride };
}

/**
 * The coarsest level that still has two pixels or more for each output pixel. Coarser ones are cheaper, but would make
 * a face's embedding depend on its distance (measured: cosine to itself .985 instead of .996).
 */
function levelFor(image: RgbImage, step: number) {
  return image.level(Math.max(0, Math.floor(Math.log2(step)) - 1));
}

/** Scales `rect` of the picture to the size of `out`, anti-aliased; the area outside the picture becomes black. */
export function resizeCrop(image: RgbImage, rect: Rect, out: Planes): Planes {
  const { width, height } = out;
  const grid = levelFor(image, Math.min(rect.width / width, rect.height / height));
  const f = grid.factor;
  const across = tentTaps(rect.x / f, rect.width / f, width, grid.width, 0.5 / f);
  const down = tentTaps(rect.y / f, rect.height / f, height, grid.height, 0.5 / f);
  let top = grid.height;
  let bottom = 0;
  for (let y = 0; y < height; y++) {
    const count = down.count[y] as number;
    if (count === 0) continue;
    const from = down.first[y] as number;
    top = Math.min(top, from);
    bottom = Math.max(bottom, from + count);
  }
  const rows = squeezeRows(grid.data, grid.width, top, bottom, across, width);
  squeezeColumns(rows, top, down, out);
  return out;
}

/** Rows `top` to `bottom` of the source, scaled to `width`, interleaved RGB. */
function squeezeRows(
  data: Uint8Array,
  sourceWidth: number,
  top: number,
  bottom: number,
  taps: Taps,
  width: number,
): Float32Array {
  const rows = new Float32Array(Math.max(0, bottom - top) * width * 3);
  const { first, count: counts, weights, stride } = taps;
  let o = 0;
  for (let y = top; y < bottom; y++) {
    const row = y * sourceWidth;
    for (let x = 0; x < width; x++) {
      let s = (row + (first[x] as number)) * 3;
      let w = x * stride;
      const end = w + (counts[x] as number);
      let r = 0;
      let g = 0;
      let b = 0;
      for (; w < end; w++, s += 3) {
        const weight = weights[w] as number;
        r += weight * (data[s] as number);
        g += weight * (data[s + 1] as number);
        b += weight * (data[s + 2] as number);
      }
      rows[o++] = r;
      rows[o++] = g;
      rows[o++] = b;
    }
  }
  return rows;
}

function squeezeColumns(rows: Float32Array, top: number, taps: Taps, out: Planes): void {
  const { data, width, height } = out;
  const { first, count, weights, stride } = taps;
  const plane = width * height;
  const rowLength = width * 3;
  const sums = new Float32Array(rowLength);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    // Row by row rather than column by column, in memory order.
    let s = ((first[y] as number) - top) * rowLength;
    for (let w = y * stride; w < y * stride + (count[y] as number); w++) {
      const weight = weights[w] as number;
      for (let i = 0; i < rowLength; i++, s++) sums[i] = (sums[i] as number) + weight * (rows[s] as number);
    }
    for (let x = 0, o = y * width; x < width; x++, o++) {
      data[o] = sums[3 * x] as number;
      data[plane + o] = sums[3 * x + 1] as number;
      data[2 * plane + o] = sums[3 * x + 2] as number;
    }
  }
}

/**
 * A similarity transform from the picture to the output, both with the origin at the centre of the first pixel: `u =
 * a·x − b·y + tx`, `v = b·x + a·y + ty`.
 */
type Similarity = { a: number; b: number; tx: number; ty: number };

/** Maximum samples per axis of an output pixel; levels keep the step below four source pixels. */
const MAX_SAMPLES = 4;

/** Rotates and scales the picture into `out`, bilinear, anti-aliased; the area outside the picture becomes black. */
export function warp(image: RgbImage, { a, b, tx, ty }: Similarity, out: Planes): Planes {
  const { data: target, width, height } = out;
  const plane = width * height;
  const norm = a * a + b * b;
  const grid = levelFor(image, 1 / Math.sqrt(norm));
  const f = grid.factor;
  const n = Math.max(1, Math.min(MAX_SAMPLES, Math.ceil(1 / (Math.sqrt(norm) * f))));
  const share = 1 / (n * n);
  // Inverse map, in pixels of the level, whose pixel centres are at (x + ½)/f − ½ of the picture's.
  const ia = a / norm / f;
  const ib = b / norm / f;
  const offset = 0.5 / f - 0.5;
  const { data: source, width: sourceWidth, height: sourceHeight } = grid;
  const [lastColumn, lastRow] = [sourceWidth - 1, sourceHeight - 1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < n; i++) {
          const u = x + (i + 0.5) / n - 0.5 - tx;
          const v = y + (j + 0.5) / n - 0.5 - ty;
          const sx = ia * u + ib * v + offset;
          const sy = ia * v - ib * u + offset;
          const x0 = Math.floor(sx);
          const y0 = Math.floor(sy);
          if (x0 >= 0 && y0 >= 0 && x0 < lastColumn && y0 < lastRow) {
            // Unrolled: clamping each corner would make this loop take twice as long, for every pixel of every face.
            const s = (y0 * sourceWidth + x0) * 3;
            const t = s + 3 * sourceWidth;
            const right = sx - x0;
            const lower = sy - y0;
            const w0 = (1 - right) * (1 - lower);
            const w1 = right * (1 - lower);
            const w2 = (1 - right) * lower;
            const w3 = right * lower;
            red +=
              w0 * (source[s] as number) +
              w1 * (source[s + 3] as number) +
              w2 * (source[t] as number) +
              w3 * (source[t + 3] as number);
            green +=
              w0 * (source[s + 1] as number) +
              w1 * (source[s + 4] as number) +
              w2 * (source[t + 1] as number) +
              w3 * (source[t + 4] as number);
            blue +=
              w0 * (source[s + 2] as number) +
              w1 * (source[s + 5] as number) +
              w2 * (source[t + 2] as number) +
              w3 * (source[t + 5] as number);
            continue;
          }
          for (let corner = 0; corner < 4; corner++) {
            const px = x0 + (corner & 1);
            const py = y0 + (corner >> 1);
            if (px < 0 || py < 0 || px >= sourceWidth || py >= sourceHeight) continue;
            const weight = (1 - Math.abs(sx - px)) * (1 - Math.abs(sy - py));
            const s = (py * sourceWidth + px) * 3;
            red += weight * (source[s] as number);
            green += weight * (source[s + 1] as number);
            blue += weight * (source[s + 2] as number);
          }
        }
      }
      const o = y * width + x;
      target[o] = red * share;
      target[plane + o] = green * share;
      target[2 * plane + o] = blue * share;
    }
  }
  return out;
}

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

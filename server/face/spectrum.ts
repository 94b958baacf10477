/** The face's fine detail in the frequency domain: regular patterns and how much detail there is. */
import type { FaceBox } from './detector.ts';
import type { RgbImage } from './rgb-image.ts';

export type Spectrum = { patternDb: number; detailDb: number };

type Band = { from: number; to: number };

/** Side of the window in pixels of the frame; a power of two. */
const SIDE = 128;
const HALF = SIDE / 2;
/** Radii in cycles per window: finer than eight pixels a cycle, up to what the camera still resolves. */
const FINE: Band = { from: 16, to: 61 };
const MIDDLING: Band = { from: 8, to: 18 };
const FINEST: Band = { from: 36, to: 60 };
const BANDS = [
  ['middling', MIDDLING],
  ['finest', FINEST],
] as const;
/** JPEG's blocks of eight pixels show at multiples of this along the axes. */
const JPEG_HARMONIC = SIDE / 8;

/** Bins of the half plane that a real signal fills, grouped by radius; the other half mirrors it. */
const BINS_OF_RADIUS: readonly Int32Array[] = binsByRadius();

/** Measured on a window in the middle of the face, in the frame's own pixels: scaling would make or hide patterns. */
export function measureSpectrum(image: RgbImage, box: FaceBox): Spectrum {
  const power = powerSpectrum(windowed(image, box));
  let highest = 0;
  const band = { middling: { sum: 0, count: 0 }, finest: { sum: 0, count: 0 } };
  for (let radius = MIDDLING.from; radius <= FINE.to; radius++) {
    const bins = BINS_OF_RADIUS[radius] ?? new Int32Array();
    const values = new Float32Array(bins.length);
    let total = 0;
    for (let i = 0; i < bins.length; i++) {
      const value = power[bins[i] as number] as number;
      values[i] = value;
      total += value;
    }
    values.sort();
    const usual = values[values.length >> 1] ?? 0;
    if (radius >= FINE.from) highest = Math.max(highest, (values.at(-1) ?? 0) / Math.max(1e-6, usual));
    for (const [name, { from, to }] of BANDS) {
      if (radius < from || radius > to) continue;
      band[name].sum += total;
      band[name].count += values.length;
    }
  }
  const mean = ({ sum, count }: { sum: number; count: number }) => sum / Math.max(1, count);
  return {
    patternDb: decibels(highest),
    detailDb: decibels(mean(band.finest) / Math.max(1e-6, mean(band.middling))),
  };
}

const decibels = (ratio: number): number => 10 * Math.log10(Math.max(1e-6, ratio));

function isJpegs(fx: number, fy: number): boolean {
  return (Math.abs(fy) <= 1 && nearMultiple(fx)) || (fx <= 1 && nearMultiple(fy));
}

function nearMultiple(f: number): boolean {
  const rest = Math.abs(f) % JPEG_HARMONIC;
  return Math.min(rest, JPEG_HARMONIC - rest) <= 1;
}

function binsByRadius(): Int32Array[] {
  const bins = Array.from({ length: HALF + 1 }, (): number[] => []);
  for (let row = 0; row < SIDE; row++) {
    const fy = row < HALF ? row : row - SIDE;
    for (let fx = 0; fx <= HALF; fx++) {
      if (!isJpegs(fx, fy)) bins[Math.round(Math.hypot(fx, fy))]?.push(row * SIDE + fx);
    }
  }
  return bins.map((list) => Int32Array.from(list));
}

const HANN = Float64Array.from(
  { length: SIDE },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / SIDE),
);

/** Luminance less its mean, faded out toward the window's edge; what lies outside the frame is 0. */
function windowed({ data, width, height }: RgbImage, { x1, y1, x2, y2 }: FaceBox): Float64Array {
  const left = Math.round(Math.max(0, Math.min((x1 + x2) / 2 - HALF, width - SIDE)));
  const top = Math.round(Math.max(0, Math.min((y1 + y2) / 2 - HALF, height - SIDE)));
  const out = new Float64Array(SIDE * SIDE);
  const columns = Math.min(SIDE, width - left);
  const rows = Math.min(SIDE, height - top);
  let sum = 0;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const s = 3 * ((top + y) * width + left + x);
      const luma = 0.299 * (data[s] ?? 0) + 0.587 * (data[s + 1] ?? 0) + 0.114 * (data[s + 2] ?? 0);
      out[y * SIDE + x] = luma;
      sum += luma;
    }
  }
  const mean = sum / Math.max(1, rows * columns);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const i = y * SIDE + x;
      out[i] = ((out[i] ?? 0) - mean) * (HANN[x] ?? 0) * (HANN[y] ?? 0);
    }
  }
  return out;
}

/** |FFT|² for the columns 0 to HALF of the window: rows, then columns. */
function powerSpectrum(real: Float64Array): Float64Array {
  const imaginary = new Float64Array(real.length);
  for (let row = 0; row < SIDE; row += 2) transformPair(real, imaginary, row * SIDE);
  const power = new Float64Array(real.length);
  const re = new Float64Array(SIDE);
  const im = new Float64Array(SIDE);
  for (let column = 0; column <= HALF; column++) {
    // A copy that lies together in memory is transformed twice as fast as a column in place.
    for (let row = 0; row < SIDE; row++) {
      re[row] = real[row * SIDE + column] as number;
      im[row] = imaginary[row * SIDE + column] as number;
    }
    transform(re, im);
    for (let row = 0; row < SIDE; row++) {
      power[row * SIDE + column] = (re[row] as number) ** 2 + (im[row] as number) ** 2;
    }
  }
  return power;
}

/** Two real rows in one transform: one as the real, one as the imaginary part, taken apart by their symmetry. */
function transformPair(real: Float64Array, imaginary: Float64Array, start: number): void {
  const re = real.slice(start, start + SIDE);
  const im = real.slice(start + SIDE, start + 2 * SIDE);
  transform(re, im);
  for (let k = 0; k <= HALF; k++) {
    const mirrored = (SIDE - k) % SIDE;
    const a = re[k] as number;
    const b = re[mirrored] as number;
    const c = im[k] as number;
    const d = im[mirrored] as number;
    real[start + k] = (a + b) / 2;
    imaginary[start + k] = (c - d) / 2;
    real[start + SIDE + k] = (c + d) / 2;
    imaginary[start + SIDE + k] = (b - a) / 2;
  }
}

const COS = Float64Array.from({ length: HALF }, (_, i) => Math.cos((2 * Math.PI * i) / SIDE));
const SIN = Float64Array.from({ length: HALF }, (_, i) => -Math.sin((2 * Math.PI * i) / SIDE));
const REVERSED = Uint8Array.from({ length: SIDE }, (_, i) => {
  let bits = 0;
  for (let bit = 1; bit < SIDE; bit <<= 1) bits = (bits << 1) | ((i & bit) === 0 ? 0 : 1);
  return bits;
});

/**
 * Radix-2 FFT in place (Cooley–Tukey) of SIDE values. Indices are in range by construction. One name a value: taking
 * pairs apart here makes garbage and costs five times the time.
 */
function transform(real: Float64Array, imaginary: Float64Array): void {
  for (let i = 0; i < SIDE; i++) {
    const j = REVERSED[i] as number;
    if (j <= i) continue;
    const re = real[i] as number;
    const im = imaginary[i] as number;
    real[i] = real[j] as number;
    imaginary[i] = imaginary[j] as number;
    real[j] = re;
    imaginary[j] = im;
  }
  for (let length = 2; length <= SIDE; length <<= 1) {
    const half = length >> 1;
    const step = SIDE / length;
    for (let block = 0; block < SIDE; block += length) {
      for (let k = 0; k < half; k++) {
        const p = block + k;
        const q = p + half;
        const c = COS[k * step] as number;
        const s = SIN[k * step] as number;
        const re = real[q] as number;
        const im = imaginary[q] as number;
        const turnedRe = re * c - im * s;
        const turnedIm = re * s + im * c;
        const otherRe = real[p] as number;
        const otherIm = imaginary[p] as number;
        real[q] = otherRe - turnedRe;
        imaginary[q] = otherIm - turnedIm;
        real[p] = otherRe + turnedRe;
        imaginary[p] = otherIm + turnedIm;
      }
    }
  }
}

/** The face's fine detail in the frequency domain: regular patterns and how much detail there is. */
import type { FaceBox } from './detector.ts';
import { HALF, powerSpectrum, SIDE } from './fourier.ts';
import type { RgbImage } from './rgb-image.ts';

export type Spectrum = { patternDb: number; detailDb: number };

type Band = { from: number; to: number };

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

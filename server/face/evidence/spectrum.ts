/** Regular patterns in the frequency domain, on the face and beside it. */
import type { FaceBox } from '../models/detector.ts';
import { HALF, powerSpectrum, SIDE } from './fourier.ts';
import type { RgbImage } from '../pictures/rgb-image.ts';

/** As in `PictureCues`. */
type Spectrum = { patternDb: number; backgroundPatternDb: number | null };

type Band = { from: number; to: number };

/** Radii in cycles per window: finer than eight pixels per cycle, up to what the camera still resolves. */
const FINE: Band = { from: 16, to: 61 };
/** JPEG's blocks of eight pixels appear at multiples of this along the axes. */
const JPEG_HARMONIC = SIDE / 8;

/** Bins of the half plane that a real signal fills, grouped by radius; the other half mirrors it. */
const BINS_OF_RADIUS: readonly Int32Array[] = binsByRadius();

/** Share of the face's width that hair and ears add on each side. */
const BESIDE_FACE = 0.3;

type Point = { x: number; y: number };

/** Measured in the frame's own pixels, because scaling would create or hide patterns. */
export function measureSpectrum(image: RgbImage, box: FaceBox): Spectrum {
  const face = { x: (box.x1 + box.x2) / 2, y: (box.y1 + box.y2) / 2 };
  const beside = besideOf(image, box);
  return { patternDb: patternAt(image, face), backgroundPatternDb: beside && patternAt(image, beside) };
}

/** Centre of a window beside the head, on the side with more room and above the shoulders; null without such room. */
function besideOf({ width, height }: RgbImage, { x1, x2 }: FaceBox): Point | null {
  const hairPx = BESIDE_FACE * (x2 - x1);
  const [leftPx, rightPx] = [x1 - hairPx, width - (x2 + hairPx)];
  if (Math.max(leftPx, rightPx) < SIDE || height < SIDE) return null;
  return { x: leftPx > rightPx ? HALF : width - HALF, y: HALF };
}

/** The strongest line in a ring of equal fineness relative to the ring's median, in dB. */
function patternAt(image: RgbImage, middle: Point): number {
  const power = powerSpectrum(windowed(image, middle));
  let highest = 0;
  for (let radius = FINE.from; radius <= FINE.to; radius++) {
    const bins = BINS_OF_RADIUS[radius] ?? new Int32Array();
    const values = Float32Array.from(bins, (bin) => power[bin] as number).sort();
    const usual = values[values.length >> 1] ?? 0;
    highest = Math.max(highest, (values.at(-1) ?? 0) / Math.max(1e-6, usual));
  }
  return decibels(highest);
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

/** Luminance minus its mean, faded out toward the window's edge; the area outside the frame is 0. */
function windowed({ data, width, height }: RgbImage, middle: Point): Float64Array {
  const left = Math.round(Math.max(0, Math.min(middle.x - HALF, width - SIDE)));
  const top = Math.round(Math.max(0, Math.min(middle.y - HALF, height - SIDE)));
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

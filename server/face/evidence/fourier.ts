/**
 * The Fourier transform of a square window of pixels, for windows of one fixed size, because it runs on every frame.
 */

/** Side of the window; a power of two. */
export const SIDE = 128;
export const HALF = SIDE / 2;

/**
 * |FFT|² at `row * SIDE + column`, for the columns 0 to HALF; the others mirror them. Rows from HALF on are the
 * negative frequencies.
 * @param real SIDE rows of SIDE values; overwritten
 */
export function powerSpectrum(real: Float64Array): Float64Array {
  const imaginary = new Float64Array(real.length);
  for (let row = 0; row < SIDE; row += 2) transformPair(real, imaginary, row * SIDE);
  const power = new Float64Array(real.length);
  const re = new Float64Array(SIDE);
  const im = new Float64Array(SIDE);
  for (let column = 0; column <= HALF; column++) {
    // A contiguous copy is transformed twice as fast as a column in place.
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

/** Two real rows in one transform: one as the real, one as the imaginary part, separated by their symmetry. */
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
 * Radix-2 FFT in place (Cooley–Tukey) of SIDE values. Indices are in range by construction. Uses one name per value,
 * because destructuring pairs here creates garbage and takes five times as long.
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

/**
 * Rounding of vectors to small integers, with the length of the rounding error. A row `x` is stored as `x̂ = scale ·
 * q` with 8-bit `q`, the probe `p` as `p̂` with up to 16 bits. Then
 *
 * p·x = p̂·x̂ + p·(x − x̂) + (p − p̂)·x̂ ≤ p̂·x̂ + ‖p‖·‖x − x̂‖ + ‖p − p̂‖·‖x̂‖      (Cauchy and Schwarz)
 *
 * so a row with `p̂·x̂ + ‖p‖·‖x − x̂‖ < floor − ‖p − p̂‖·‖x̂‖` cannot reach the floor, and every other row is compared
 * again in full precision. For most rows not even all of `x̂` has to be read: its first components, the head `x̂ₕ`,
 * and the length of the others limit the product as well,
 *
 * p̂·x̂ ≤ p̂ₕ·x̂ₕ + ‖p̂ᵣ‖·‖x̂ᵣ‖
 */

const ROW_STEPS = 127;
const PROBE_STEPS = 32_767;
const GREATEST_I32 = 2 ** 31 - 1;

/** Float32 arithmetic of the kernel is off by at most 7 roundings of 2⁻²⁴ each; this is more than nine times that. */
export const ROUNDING = 4e-6;

export type Quantised = {
  scale: number;
  /** Length of the difference between the vector and its rounded form. */
  error: number;
  /** Length of the vector. */
  norm: number;
  /** Length of the rounded form. */
  keptNorm: number;
};

export type RoundedRow = Omit<Quantised, 'norm'>;

/** Rounds `vector` into `into`; any further components stay unchanged. */
export function quantiseRow(vector: Float32Array, into: Int8Array): Quantised {
  return quantise(vector, into, ROW_STEPS);
}

const NUMBERS = 3;

/** Bytes of a packed row: its components, then scale, error and length of the rounded form. */
export const packedLength = (components: number): number =>
  components + NUMBERS * Float64Array.BYTES_PER_ELEMENT;

/** A rounded row for the store. Exactly what `quantiseRow` computes, on every processor. */
export function packRow(vector: Float32Array): Uint8Array {
  const packed = new Uint8Array(packedLength(vector.length));
  const { scale, error, keptNorm } = quantiseRow(vector, new Int8Array(packed.buffer));
  const numbers = new DataView(packed.buffer, vector.length);
  for (const [n, value] of [scale, error, keptNorm].entries())
    numbers.setFloat64(n * Float64Array.BYTES_PER_ELEMENT, value, true);
  return packed;
}

/** Reads a packed row of `components` into `into`; any further components stay unchanged. */
export function unpackRow(packed: Uint8Array, components: number, into: Int8Array): RoundedRow {
  into.set(packed.subarray(0, components));
  const numbers = new DataView(packed.buffer, packed.byteOffset + components);
  const numberAt = (n: number) => numbers.getFloat64(n * Float64Array.BYTES_PER_ELEMENT, true);
  return { scale: numberAt(0), error: numberAt(1), keptNorm: numberAt(2) };
}

/** The same for a probe: as fine as 32-bit sums of its products with `length` row components allow. */
export function quantiseProbe(vector: Float32Array, into: Int16Array): Quantised {
  const steps = Math.min(PROBE_STEPS, Math.floor(GREATEST_I32 / (ROW_STEPS * vector.length)));
  return quantise(vector, into, steps);
}

function quantise(vector: Float32Array, into: Int8Array | Int16Array, steps: number): Quantised {
  const { length } = vector;
  let greatest = 0;
  for (let i = 0; i < length; i++) greatest = Math.max(greatest, Math.abs(vector[i] ?? 0));
  // Rounded to float32 first, because the kernel multiplies with that; never zero.
  const scale = Math.max(Math.fround(greatest / steps), 2 ** -126);
  const perUnit = 1 / scale;
  let lost = 0;
  let whole = 0;
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const value = vector[i] ?? 0;
    // Never beyond `steps`: the greatest component is `steps` scales long, apart from a rounding error far below a
    // half.
    const q = Math.floor(value * perUnit + 0.5);
    const difference = value - q * scale;
    into[i] = q;
    lost += difference * difference;
    whole += value * value;
    kept += q * q;
  }
  return { scale, error: Math.sqrt(lost), norm: Math.sqrt(whole), keptNorm: Math.sqrt(kept) * scale };
}

/** Length of the vector that the rounded components `part` represent. */
export function lengthOf(part: Int8Array | Int16Array, scale: number): number {
  let sum = 0;
  for (const q of part) sum += q * q;
  return Math.sqrt(sum) * scale;
}

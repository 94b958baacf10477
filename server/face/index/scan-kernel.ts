/**
 * The scan of the heads of int8 rows with SIMD. For each row it computes the dot product with the probe's head, and
 * lists the rows whose similarity may reach the floor whatever their rest contains. A head is `components` signed
 * bytes, then three float32: the row's scale, the length of its rounding error (see `quantise.ts`), and the length of
 * its rest.
 */
import { type Code, doWhile, f32, get, i32, i32x4, moduleOf, set, v128, when } from './wasm-assembler.ts';

/**
 * Rows processed together, so that each piece of the probe is loaded once for both. More would read memory in so many
 * places that the processor no longer prefetches it.
 */
export const ROWS_AT_ONCE = 2;
/** Components per step; a row is padded with zeros to a multiple of it. */
export const COMPONENTS_PER_STEP = 32;
/** Components that one instruction multiplies. */
const LANES = 8;
/** Scale, error and rest after a row's components; the padding keeps rows at multiples of 16. */
export const ROW_TAIL_BYTES = 16;

/** Addresses are bytes in the memory. */
export type ScanRows = (
  /** First row. */
  rows: number,
  /** Number of rows; a multiple of `ROWS_AT_ONCE`. */
  count: number,
  /** Bytes of components in a row, a multiple of `COMPONENTS_PER_STEP`. */
  components: number,
  /** The probe, `components` signed 16-bit numbers. */
  probe: number,
  probeScale: number,
  /** Length of the probe, which scales a row's error. */
  probeNorm: number,
  /** Length of the probe's rest, which scales a row's rest. */
  probeRest: number,
  floor: number,
  /** Where the indices of the rows are written, as 32-bit integers. */
  out: number,
  /** Index of the first row. */
  first: number,
) => number;

const PARAMETERS = ['i32', 'i32', 'i32', 'i32', 'f32', 'f32', 'f32', 'f32', 'i32', 'i32'] as const;
const ROWS = 0;
const COUNT = 1;
const COMPONENTS = 2;
const PROBE = 3;
const PROBE_SCALE = 4;
const PROBE_NORM = 5;
const PROBE_REST = 6;
const FLOOR = 7;
const OUT = 8;
const NUMBER = 9;
const FIRST_OUT = 10;
const STEP = 11;
const AT_PROBE = 12;
const DOT = 13;
/** Addresses of the rows processed together, then their sums, then two pieces of the probe. */
const at = (row: number): number => 14 + row;
const sum = (row: number): number => 14 + ROWS_AT_ONCE + row;
const PIECE = 14 + 2 * ROWS_AT_ONCE;

const each = (body: (row: number) => Code): Code =>
  Array.from({ length: ROWS_AT_ONCE }, (_, row) => body(row)).flat();
const advance = (local: number, by: Code): Code => set(local, i32.add(get(local), by));

const accumulate = (row: number, offset: number): Code =>
  set(sum(row), i32x4.add(get(sum(row)), i32x4.dotI16x8(v128.load8x8s(get(at(row)), offset), get(PIECE))));

const eightComponents = (offset: number): Code => [
  ...set(PIECE, v128.load(get(AT_PROBE), 2 * offset)),
  ...each((row) => accumulate(row, offset)),
];

const dotProducts: Code = [
  ...each((row) => set(sum(row), v128.zero)),
  ...set(AT_PROBE, get(PROBE)),
  ...set(STEP, get(COMPONENTS)),
  ...doWhile(
    [
      ...Array.from({ length: COMPONENTS_PER_STEP / LANES }, (_, n) => eightComponents(n * LANES)).flat(),
      ...each((row) => advance(at(row), i32.const(COMPONENTS_PER_STEP))),
      ...advance(AT_PROBE, i32.const(2 * COMPONENTS_PER_STEP)),
      ...set(STEP, i32.sub(get(STEP), i32.const(COMPONENTS_PER_STEP))),
    ],
    get(STEP),
  ),
];

/** `dot × scales + error × probe's length + rest × probe's rest ≥ floor`; the row's address now points to its tail. */
const keepIfItMayReach = (row: number): Code => {
  const lane = (n: number): Code => i32x4.lane(get(sum(row)), n);
  return [
    ...set(DOT, i32.add(i32.add(lane(0), lane(1)), i32.add(lane(2), lane(3)))),
    ...when(
      f32.atLeast(
        f32.add(
          f32.mul(f32.mul(f32.fromI32(get(DOT)), get(PROBE_SCALE)), f32.load(get(at(row)))),
          f32.add(
            f32.mul(f32.load(get(at(row)), 4), get(PROBE_NORM)),
            f32.mul(f32.load(get(at(row)), 8), get(PROBE_REST)),
          ),
        ),
        get(FLOOR),
      ),
      [...i32.store(get(OUT), i32.add(get(NUMBER), i32.const(row))), ...advance(OUT, i32.const(4))],
    ),
    ...advance(at(row), i32.const(ROW_TAIL_BYTES)),
  ];
};

/** The distance between rows is the size of their components and tail. */
const placeRows: Code = each((row) =>
  set(
    at(row),
    row === 0 ? get(ROWS) : i32.add(get(at(row - 1)), i32.add(get(COMPONENTS), i32.const(ROW_TAIL_BYTES))),
  ),
);

const MODULE = moduleOf('scan', {
  parameters: [...PARAMETERS],
  locals: [
    ...Array.from({ length: 4 + ROWS_AT_ONCE }, () => 'i32' as const),
    ...Array.from({ length: ROWS_AT_ONCE + 1 }, () => 'v128' as const),
  ],
  body: [
    ...set(FIRST_OUT, get(OUT)),
    ...when(
      get(COUNT),
      doWhile(
        [
          ...placeRows,
          ...dotProducts,
          ...each(keepIfItMayReach),
          // The last of these rows has been read to its end, where the next ones begin.
          ...set(ROWS, get(at(ROWS_AT_ONCE - 1))),
          ...advance(NUMBER, i32.const(ROWS_AT_ONCE)),
          ...set(COUNT, i32.sub(get(COUNT), i32.const(ROWS_AT_ONCE))),
        ],
        get(COUNT),
      ),
    ),
    // Bytes written, as a number of rows.
    ...i32.shrU(i32.sub(get(OUT), get(FIRST_OUT)), i32.const(2)),
  ],
});

/** Returns how many rows may reach the floor; their indices are at `out` in order. */
export function scanKernel(memory: WebAssembly.Memory): ScanRows {
  return new WebAssembly.Instance(MODULE, { env: { memory } }).exports['scan'] as ScanRows;
}

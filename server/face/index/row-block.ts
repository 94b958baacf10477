/**
 * Rounded vectors, and the scan over them. The heads of all rows (three quarters of the components) are contiguous in
 * one block of WebAssembly memory and are all read. Their rests are stored elsewhere and are read only for the few
 * rows that the head does not rule out. The scan is limited by memory bandwidth, so reading less makes it faster.
 */
import {
  lengthOf,
  packedLength,
  quantiseProbe,
  quantiseRow,
  type Quantised,
  type RoundedRow,
  ROUNDING,
  unpackRow,
} from './quantise.ts';
import {
  COMPONENTS_PER_STEP,
  ROW_TAIL_BYTES,
  ROWS_AT_ONCE,
  type ScanRows,
  scanKernel,
} from './scan-kernel.ts';
import { MAX_PAGES } from './wasm-assembler.ts';

const PAGE_BYTES = 65_536;
/** Rows per call of the kernel: as many as fit its list of results. */
const ROWS_PER_CALL = 65_536;
/** The block grows by a quarter, so that filling it costs no more than a few times its size. */
const GROWTH = 1.25;
/** A row that was never written, or pads a group of rows, can never be a result. */
const NEVER = -Number.MAX_VALUE;
/**
 * Share of the components in the head. For different people, the head reaches about 0.1, and the other quarter of the
 * components 0.25: together less than every floor in use. If half of the components were outside the head, the sum would
 * exceed the lowest floor.
 */
const HEAD_SHARE = 0.75;

const upToAStep = (components: number): number =>
  Math.ceil(components / COMPONENTS_PER_STEP) * COMPONENTS_PER_STEP;

export class RowBlock {
  readonly length: number;
  readonly #components: number;
  readonly #headLength: number;
  readonly #stride: number;
  readonly #memory: WebAssembly.Memory;
  readonly #scan: ScanRows;
  readonly #probeAt = 0;
  readonly #outAt: number;
  readonly #rowsAt: number;
  /** Buffer for a row being added. */
  readonly #row: Int8Array;
  readonly #probe: Int16Array;
  #capacity: number;
  #size = 0;
  /** No row is longer. Only grows: a bound that is too long costs candidates, never a miss. */
  #longestRow = 0;
  #heads: Int8Array;
  #numbers: DataView;
  #rests: Int8Array;

  /** @param length components of one vector */
  constructor(length: number) {
    this.length = length;
    this.#components = upToAStep(length);
    this.#headLength = upToAStep(this.#components * HEAD_SHARE);
    this.#stride = this.#headLength + ROW_TAIL_BYTES;
    this.#row = new Int8Array(this.#components);
    this.#probe = new Int16Array(this.#components);
    this.#outAt = this.#headLength * Int16Array.BYTES_PER_ELEMENT;
    this.#rowsAt = this.#outAt + ROWS_PER_CALL * Int32Array.BYTES_PER_ELEMENT;
    const initial = Math.ceil((this.#rowsAt + this.#stride * ROWS_AT_ONCE) / PAGE_BYTES);
    this.#memory = new WebAssembly.Memory({ initial, maximum: MAX_PAGES });
    this.#scan = scanKernel(this.#memory);
    this.#heads = new Int8Array(this.#memory.buffer);
    this.#numbers = new DataView(this.#memory.buffer);
    this.#capacity = this.#roomIn(initial);
    this.#rests = new Int8Array(this.#capacity * this.#restLength);
  }

  get size(): number {
    return this.#size;
  }

  /** Size of the block: rows, room to grow and the kernel's workspace. */
  get bytes(): number {
    return this.#memory.buffer.byteLength + this.#rests.byteLength;
  }

  get #restLength(): number {
    return this.#components - this.#headLength;
  }

  /** Writes row `row`, which is an existing one or the next. */
  write(row: number, vector: Float32Array): void {
    if (vector.length !== this.length)
      throw new RangeError(`Expected ${this.length} components, got ${vector.length}.`);
    this.#store(row, quantiseRow(vector, this.#row));
  }

  /** The same for a vector that `packRow` rounded before. */
  writePacked(row: number, packed: Uint8Array): void {
    if (packed.length !== packedLength(this.length))
      throw new RangeError(`Expected ${packedLength(this.length)} bytes, got ${packed.length}.`);
    this.#store(row, unpackRow(packed, this.length, this.#row));
  }

  /** Stores the components in `#row`. */
  #store(row: number, kept: RoundedRow): void {
    if (row === this.#size) this.#append();
    const rest = this.#row.subarray(this.#headLength);
    this.#heads.set(this.#row.subarray(0, this.#headLength), this.#addressOf(row));
    this.#rests.set(rest, row * this.#restLength);
    const slack = 1 + ROUNDING;
    this.#writeTail(row, kept.scale, kept.error * slack, lengthOf(rest, kept.scale) * slack);
    this.#longestRow = Math.max(this.#longestRow, kept.keptNorm);
  }

  /** Removes row `row`; the last row takes its place. */
  removeByMovingLast(row: number): void {
    const last = this.#addressOf(this.#size - 1);
    this.#heads.copyWithin(this.#addressOf(row), last, last + this.#stride);
    this.#heads.fill(0, last, last + this.#stride);
    const lastRest = (this.#size - 1) * this.#restLength;
    this.#rests.copyWithin(row * this.#restLength, lastRest, lastRest + this.#restLength);
    this.#rests.fill(0, lastRest, lastRest + this.#restLength);
    this.#size -= 1;
    this.#writeTail(this.#size, 0, NEVER, 0);
  }

  /** Indices of all rows whose dot product with `probe` may be `floor` or more, and perhaps of a few others. */
  candidates(probe: Float32Array, floor: number): number[] {
    if (probe.length !== this.length)
      throw new RangeError(`Expected ${this.length} components, got ${probe.length}.`);
    const kept = quantiseProbe(probe, this.#probe);
    const rounding = ROUNDING * (1 + kept.norm * (1 + this.#longestRow));
    const reachable = floor - kept.error * this.#longestRow - rounding;
    const probeHead = this.#probe.subarray(0, this.#headLength);
    const probeRest = lengthOf(this.#probe.subarray(this.#headLength), kept.scale) * (1 + ROUNDING);
    new Int16Array(this.#memory.buffer, this.#probeAt, this.#headLength).set(probeHead);
    const rows: number[] = [];
    for (let first = 0; first < this.#size; first += ROWS_PER_CALL) {
      const count = Math.min(ROWS_PER_CALL, this.#size - first);
      const grouped = Math.ceil(count / ROWS_AT_ONCE) * ROWS_AT_ONCE;
      const found = this.#scan(
        this.#addressOf(first),
        grouped,
        this.#headLength,
        this.#probeAt,
        kept.scale,
        kept.norm,
        probeRest,
        reachable,
        this.#outAt,
        first,
      );
      for (const row of new Int32Array(this.#memory.buffer, this.#outAt, found)) {
        if (this.#wholeRowMayReach(row, kept, reachable)) rows.push(row);
      }
    }
    return rows;
  }

  /** The same bound, with the rest's actual product instead of its length. */
  #wholeRowMayReach(row: number, probe: Quantised, reachable: number): boolean {
    const headAt = this.#addressOf(row);
    const restAt = row * this.#restLength;
    let dot = 0;
    for (let i = 0; i < this.#headLength; i++) {
      dot += (this.#heads[headAt + i] ?? 0) * (this.#probe[i] ?? 0);
    }
    for (let i = 0; i < this.#restLength; i++) {
      dot += (this.#rests[restAt + i] ?? 0) * (this.#probe[this.#headLength + i] ?? 0);
    }
    const scale = this.#numbers.getFloat32(headAt + this.#headLength, true);
    const error = this.#numbers.getFloat32(headAt + this.#headLength + 4, true);
    return dot * probe.scale * scale + error * probe.norm >= reachable;
  }

  #append(): void {
    // The kernel reads whole groups, so there is always room for one after the last row.
    if (this.#size + ROWS_AT_ONCE > this.#capacity) this.#grow();
    this.#size += 1;
    const groupEnd = Math.ceil(this.#size / ROWS_AT_ONCE) * ROWS_AT_ONCE;
    for (let row = this.#size; row < groupEnd; row++) this.#writeTail(row, 0, NEVER, 0);
  }

  #grow(): void {
    const pages = this.#memory.buffer.byteLength / PAGE_BYTES;
    const wanted = Math.min(MAX_PAGES, Math.ceil(pages * GROWTH));
    this.#memory.grow(Math.max(1, wanted - pages));
    this.#heads = new Int8Array(this.#memory.buffer);
    this.#numbers = new DataView(this.#memory.buffer);
    this.#capacity = this.#roomIn(this.#memory.buffer.byteLength / PAGE_BYTES);
    const rests = new Int8Array(this.#capacity * this.#restLength);
    rests.set(this.#rests);
    this.#rests = rests;
  }

  #roomIn(pages: number): number {
    const rows = Math.floor((pages * PAGE_BYTES - this.#rowsAt) / this.#stride);
    return rows - (rows % ROWS_AT_ONCE);
  }

  #addressOf(row: number): number {
    return this.#rowsAt + row * this.#stride;
  }

  #writeTail(row: number, scale: number, error: number, rest: number): void {
    const at = this.#addressOf(row) + this.#headLength;
    this.#numbers.setFloat32(at, scale, true);
    this.#numbers.setFloat32(at + 4, error, true);
    this.#numbers.setFloat32(at + 8, rest, true);
  }
}

/** Rounded vectors in one block of WebAssembly memory, and the scan over them. */
import { quantiseProbe, quantiseRow, ROUNDING } from './quantise.ts';
import {
  COMPONENTS_PER_STEP,
  ROW_TAIL_BYTES,
  ROWS_AT_ONCE,
  type ScanRows,
  scanKernel,
} from './scan-kernel.ts';
import { MAX_PAGES } from './wasm-assembler.ts';

const PAGE_BYTES = 65_536;
/** Rows of one call of the kernel: as many as its list of results has room for. */
const ROWS_PER_CALL = 65_536;
/** The block grows by a quarter, so that filling it costs no more than a few times its size. */
const GROWTH = 1.25;
/** A row that was never written, or is filled up to a group of rows, can never be a result. */
const NEVER = -Number.MAX_VALUE;

export class RowBlock {
  readonly length: number;
  readonly #components: number;
  readonly #stride: number;
  readonly #memory: WebAssembly.Memory;
  readonly #scan: ScanRows;
  readonly #probeAt = 0;
  readonly #outAt: number;
  readonly #rowsAt: number;
  #capacity: number;
  #size = 0;
  /** No row is longer. Only grows: too long a bound costs candidates, never a miss. */
  #longestRow = 0;
  #bytes: Int8Array;
  #numbers: DataView;

  /** @param length components of one vector */
  constructor(length: number) {
    this.length = length;
    this.#components = Math.ceil(length / COMPONENTS_PER_STEP) * COMPONENTS_PER_STEP;
    this.#stride = this.#components + ROW_TAIL_BYTES;
    this.#outAt = this.#components * Int16Array.BYTES_PER_ELEMENT;
    this.#rowsAt = this.#outAt + ROWS_PER_CALL * Int32Array.BYTES_PER_ELEMENT;
    const initial = Math.ceil((this.#rowsAt + this.#stride * ROWS_AT_ONCE) / PAGE_BYTES);
    this.#memory = new WebAssembly.Memory({ initial, maximum: MAX_PAGES });
    this.#scan = scanKernel(this.#memory);
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#numbers = new DataView(this.#memory.buffer);
    this.#capacity = this.#roomIn(initial);
  }

  get size(): number {
    return this.#size;
  }

  /** Of the block: rows, room to grow and the kernel's workspace. */
  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Writes row `row`, which is one of those there or the next. */
  write(row: number, vector: Float32Array): void {
    if (vector.length !== this.length)
      throw new RangeError(`Expected ${this.length} components, got ${vector.length}.`);
    if (row === this.#size) this.#append();
    const at = this.#addressOf(row);
    const kept = quantiseRow(vector, this.#bytes.subarray(at, at + this.#components));
    this.#writeTail(row, kept.scale, kept.error * (1 + ROUNDING));
    this.#longestRow = Math.max(this.#longestRow, kept.keptNorm);
  }

  /** Takes row `row` out; the last row comes to its place. */
  removeByMovingLast(row: number): void {
    const last = this.#addressOf(this.#size - 1);
    this.#bytes.copyWithin(this.#addressOf(row), last, last + this.#stride);
    this.#bytes.fill(0, last, last + this.#stride);
    this.#size -= 1;
    this.#writeTail(this.#size, 0, NEVER);
  }

  /** Numbers of all rows whose dot product with `probe` may be `floor` or more, and perhaps of a few others. */
  candidates(probe: Float32Array, floor: number): number[] {
    if (probe.length !== this.length)
      throw new RangeError(`Expected ${this.length} components, got ${probe.length}.`);
    const kept = quantiseProbe(probe, new Int16Array(this.#memory.buffer, this.#probeAt, this.#components));
    const rounding = ROUNDING * (1 + kept.norm * (1 + this.#longestRow));
    const reachable = floor - kept.error * this.#longestRow - rounding;
    const rows: number[] = [];
    for (let first = 0; first < this.#size; first += ROWS_PER_CALL) {
      const count = Math.min(ROWS_PER_CALL, this.#size - first);
      const grouped = Math.ceil(count / ROWS_AT_ONCE) * ROWS_AT_ONCE;
      const found = this.#scan(
        this.#addressOf(first),
        grouped,
        this.#components,
        this.#probeAt,
        kept.scale,
        kept.norm,
        reachable,
        this.#outAt,
        first,
      );
      for (const row of new Int32Array(this.#memory.buffer, this.#outAt, found)) rows.push(row);
    }
    return rows;
  }

  #append(): void {
    // The kernel reads whole groups, so there is always room for one behind the last row.
    if (this.#size + ROWS_AT_ONCE > this.#capacity) this.#grow();
    this.#size += 1;
    const groupEnd = Math.ceil(this.#size / ROWS_AT_ONCE) * ROWS_AT_ONCE;
    for (let row = this.#size; row < groupEnd; row++) this.#writeTail(row, 0, NEVER);
  }

  #grow(): void {
    const pages = this.bytes / PAGE_BYTES;
    const wanted = Math.min(MAX_PAGES, Math.ceil(pages * GROWTH));
    this.#memory.grow(Math.max(1, wanted - pages));
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#numbers = new DataView(this.#memory.buffer);
    this.#capacity = this.#roomIn(this.bytes / PAGE_BYTES);
  }

  #roomIn(pages: number): number {
    const rows = Math.floor((pages * PAGE_BYTES - this.#rowsAt) / this.#stride);
    return rows - (rows % ROWS_AT_ONCE);
  }

  #addressOf(row: number): number {
    return this.#rowsAt + row * this.#stride;
  }

  #writeTail(row: number, scale: number, error: number): void {
    const at = this.#addressOf(row) + this.#components;
    this.#numbers.setFloat32(at, scale, true);
    this.#numbers.setFloat32(at + 4, error, true);
  }
}

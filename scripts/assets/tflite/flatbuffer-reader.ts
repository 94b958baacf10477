/**
 * Reads the parts of a FlatBuffers file that are needed to point into it; positions are byte offsets from the file's
 * start.
 */
export class FlatbufferReader {
  readonly #view: DataView;
  /** Position of the root table. */
  readonly root: number;

  constructor(file: Uint8Array) {
    this.#view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    this.root = this.u32(0);
  }

  u32(position: number): number {
    return this.#view.getUint32(position, true);
  }

  /** Position of a table's field, or 0 if the field is absent. */
  field(table: number, slot: number): number {
    const vtable = table - this.#view.getInt32(table, true);
    const entry = 4 + 2 * slot;
    const inside =
      entry < this.#view.getUint16(vtable, true) ? this.#view.getUint16(vtable + entry, true) : 0;
    return inside === 0 ? 0 : table + inside;
  }

  /** Position of a reference field's target, or 0. */
  target(table: number, slot: number): number {
    const at = this.field(table, slot);
    return at === 0 ? 0 : at + this.u32(at);
  }

  /** Positions of the tables or strings in a vector of references. */
  targets(table: number, slot: number): number[] {
    return this.#items(table, slot).map((at) => at + this.u32(at));
  }

  int32s(table: number, slot: number): number[] {
    return this.#items(table, slot).map((at) => this.#view.getInt32(at, true));
  }

  float32s(table: number, slot: number): number[] {
    return this.#items(table, slot).map((at) => this.#view.getFloat32(at, true));
  }

  text(position: number): string {
    const length = this.u32(position);
    return new TextDecoder().decode(
      new Uint8Array(this.#view.buffer, this.#view.byteOffset + position + 4, length),
    );
  }

  #items(table: number, slot: number): number[] {
    const vector = this.target(table, slot);
    if (vector === 0) return [];
    return Array.from({ length: this.u32(vector) }, (_, index) => vector + 4 + 4 * index);
  }
}

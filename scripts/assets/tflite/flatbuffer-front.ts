/**
 * Writes a new FlatBuffers root in front of an existing file. Offsets in FlatBuffers only point forward, so a new root
 * table at the front can share every table of the old file, whose bytes do not change. Source: the FlatBuffers binary
 * format (https://flatbuffers.dev/internals).
 */

/** A value to write: an inline table, string, vector, or `old`, the position of something in the old file. */
export type Node =
  | { old: number }
  | { table: Field[] }
  | { str: string }
  | { bytes: Uint8Array }
  | { refs: Node[] }
  | { i32: readonly number[] }
  | { f32: readonly number[] };

/** One field of a table: its slot in the schema (order of declaration) and its value. */
export type Field =
  | { slot: number; u8: number }
  | { slot: number; i32: number }
  | { slot: number; ref: Node };

const FRONT_CAPACITY_BYTES = 1 << 20;
/** Byte vectors are aligned for the SIMD readers of TFLite; the old file keeps its own 16-byte alignment. */
const BYTES_ALIGNMENT = 16;
const HEADER_BYTES = 8;

const padding = (position: number, alignment: number) => (alignment - (position % alignment)) % alignment;

class FrontWriter {
  readonly #bytes = new Uint8Array(FRONT_CAPACITY_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #toOld: { at: number; old: number }[] = [];
  #end = HEADER_BYTES;

  finish(root: Node, identifier: string, old: Uint8Array): Uint8Array {
    this.#bytes.set(new TextEncoder().encode(identifier), 4);
    this.#reference(0, root);
    this.#align(BYTES_ALIGNMENT);
    for (const { at, old: position } of this.#toOld) {
      this.#view.setUint32(at, this.#end + position - at, true);
    }
    const file = new Uint8Array(this.#end + old.length);
    file.set(this.#bytes.subarray(0, this.#end));
    file.set(old, this.#end);
    return file;
  }

  #align(alignment: number, ahead = 0) {
    this.#end += padding(this.#end + ahead, alignment);
  }

  #reference(at: number, node: Node) {
    if ('old' in node) {
      this.#toOld.push({ at, old: node.old });
      return;
    }
    const position = this.#write(node);
    this.#view.setUint32(at, position - at, true);
  }

  #write(node: Exclude<Node, { old: number }>): number {
    if ('table' in node) return this.#table(node.table);
    if ('bytes' in node) return this.#byteVector(node.bytes, BYTES_ALIGNMENT);
    if ('str' in node) {
      const position = this.#byteVector(new TextEncoder().encode(node.str), 4);
      this.#end += 1; // the terminating zero
      return position;
    }
    if ('refs' in node) return this.#vector(node.refs, (at, child) => this.#reference(at, child));
    if ('i32' in node) return this.#vector(node.i32, (at, value) => this.#view.setInt32(at, value, true));
    return this.#vector(node.f32, (at, value) => this.#view.setFloat32(at, value, true));
  }

  /** Every inline field takes four bytes, which wastes a few and aligns all of them. */
  #table(fields: Field[]): number {
    const slots = Math.max(-1, ...fields.map((field) => field.slot)) + 1;
    this.#align(4);
    const vtable = this.#end;
    this.#end += 4 + 2 * slots;
    this.#align(4);
    const table = this.#end;
    this.#end += 4 + 4 * fields.length;
    this.#view.setUint16(vtable, 4 + 2 * slots, true);
    this.#view.setUint16(vtable + 2, this.#end - table, true);
    this.#view.setInt32(table, table - vtable, true);
    fields.forEach((field, index) => {
      const at = table + 4 + 4 * index;
      this.#view.setUint16(vtable + 4 + 2 * field.slot, at - table, true);
      if ('u8' in field) this.#view.setUint8(at, field.u8);
      else if ('i32' in field) this.#view.setInt32(at, field.i32, true);
      else this.#reference(at, field.ref);
    });
    return table;
  }

  #vector<T>(items: readonly T[], put: (at: number, item: T) => void): number {
    this.#align(4);
    const position = this.#end;
    this.#view.setUint32(position, items.length, true);
    this.#end += 4 + 4 * items.length;
    items.forEach((item, index) => put(position + 4 + 4 * index, item));
    return position;
  }

  #byteVector(bytes: Uint8Array, alignment: number): number {
    this.#align(alignment, 4);
    const position = this.#end;
    this.#view.setUint32(position, bytes.length, true);
    this.#bytes.set(bytes, position + 4);
    this.#end += 4 + bytes.length;
    return position;
  }
}

/**
 * @param root the new root table
 * @param identifier four characters, the file identifier of the schema
 * @param old the file that `{old}` nodes point into
 * @throws RangeError if the new part exceeds 1 MB
 */
export function writeFront(root: Node, identifier: string, old: Uint8Array = new Uint8Array(0)): Uint8Array {
  return new FrontWriter().finish(root, identifier, old);
}

import type { SqlValue } from '../port.ts';

/** Bounds the memory that rows take while nothing is written. */
const MOST_PLACES = 1_000;
/** Of a text or bytes. Pictures and reports are read again each time. */
const MOST_LENGTH = 1_024;

/** A place in the tree of rows: one branch for the statement, then one for each parameter. */
class Place {
  readonly #branches = new Map<unknown, Place>();
  /** Undefined until it was read. */
  known: { row: unknown } | undefined;

  branch(key: unknown): Place {
    let next = this.#branches.get(key);
    if (!next) this.#branches.set(key, (next = new Place()));
    return next;
  }
}

/** Rows that statements returned, each for exactly these parameters. They are frozen, because callers share them. */
export class KnownRows {
  #root = new Place();
  #places = 0;

  clear(): void {
    if (this.#places === 0) return;
    this.#root = new Place();
    this.#places = 0;
  }

  /** The row, or undefined for none; reads it if it is not known. */
  row(sql: string, params: readonly SqlValue[], read: () => unknown): unknown {
    if (params.some(isLong)) return Object.freeze(read());
    const place = placeOf(this.#root.branch(sql), params);
    if (place.known) return place.known.row;
    // Counted in any case, because the place of a row that is not kept takes memory too.
    this.#places += 1;
    if (this.#places >= MOST_PLACES) this.clear();
    const row: unknown = Object.freeze(read());
    if (!Object.values(row ?? {}).some(isLong)) place.known = { row };
    return row;
  }
}

/** Bytes have a branch before their own, so that no text equals them. */
function placeOf(statement: Place, params: readonly SqlValue[]): Place {
  let place = statement;
  for (const param of params) {
    place =
      param instanceof Uint8Array ? place.branch(Uint8Array).branch(bytesAsText(param)) : place.branch(param);
  }
  return place;
}

const bytesAsText = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1');

const isLong = (value: unknown): boolean =>
  (typeof value === 'string' || value instanceof Uint8Array) && value.length > MOST_LENGTH;

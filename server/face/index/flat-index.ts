/**
 * Exact nearest faces by a plain float32 scan: one row a person, the direction of the sum of the person's templates.
 * It cannot miss, since it looks at every row.
 */

export type Hit = { personId: string; similarity: number };

/** Rows between two breaths of the event loop: about 10 ms of scanning. */
const ROWS_PER_SLICE = 16_384;
const FIRST_CAPACITY = 256;

export class FlatIndex {
  readonly length: number;
  #rows: Float32Array;
  /** Length of each person's template sum, so that another template can be added to a normalised row. */
  readonly #norms: number[] = [];
  readonly #people: string[] = [];
  readonly #rowOf = new Map<string, number>();
  /** A removal moves a row, which a search under way might then pass by. */
  #removals = 0;

  /** @param length components of one embedding */
  constructor(length: number) {
    this.length = length;
    this.#rows = new Float32Array(FIRST_CAPACITY * length);
  }

  /** People enrolled. */
  get size(): number {
    return this.#people.length;
  }

  /** Adds one template (unit length) to its person, enrolling them if they are new. */
  add(personId: string, vector: Float32Array): void {
    if (vector.length !== this.length)
      throw new RangeError(`Expected ${this.length} components, got ${vector.length}.`);
    const row = this.#rowOf.get(personId) ?? this.#enrol(personId);
    const norm = this.#norms[row] ?? 0;
    const offset = row * this.length;
    let squares = 0;
    for (let i = 0; i < this.length; i++) {
      const sum = (this.#rows[offset + i] ?? 0) * norm + (vector[i] ?? 0);
      this.#rows[offset + i] = sum;
      squares += sum * sum;
    }
    const length = Math.sqrt(squares) || 1;
    for (let i = 0; i < this.length; i++) this.#rows[offset + i] = (this.#rows[offset + i] ?? 0) / length;
    this.#norms[row] = length;
  }

  /** Takes a person out; false where they were not enrolled. */
  remove(personId: string): boolean {
    const row = this.#rowOf.get(personId);
    if (row === undefined) return false;
    const last = this.#people.length - 1;
    const moved = this.#people[last];
    if (row !== last && moved !== undefined) {
      this.#rows.copyWithin(row * this.length, last * this.length, (last + 1) * this.length);
      this.#norms[row] = this.#norms[last] ?? 0;
      this.#people[row] = moved;
      this.#rowOf.set(moved, row);
    }
    this.#rows.fill(0, last * this.length, (last + 1) * this.length);
    this.#people.pop();
    this.#norms.pop();
    this.#rowOf.delete(personId);
    this.#removals += 1;
    return true;
  }

  /** Everyone at or above `floor` (cosine), best first. Lets the event loop breathe between slices. */
  async search(probe: Float32Array, floor: number): Promise<Hit[]> {
    const hits: Hit[] = [];
    const removals = this.#removals;
    // Rows may be added while the loop breathes; what came since is looked at in the caller's transaction.
    for (let start = 0; start < this.#people.length; start += ROWS_PER_SLICE) {
      if (start > 0) await new Promise((resolve) => setImmediate(resolve));
      if (removals !== this.#removals) return this.search(probe, floor);
      this.#scan(probe, floor, start, Math.min(start + ROWS_PER_SLICE, this.#people.length), hits);
    }
    return hits.sort((a, b) => b.similarity - a.similarity);
  }

  #scan(probe: Float32Array, floor: number, from: number, to: number, hits: Hit[]): void {
    const rows = this.#rows;
    const n = this.length;
    for (let row = from; row < to; row++) {
      const offset = row * n;
      let dot = 0;
      for (let i = 0; i < n; i++) dot += (rows[offset + i] ?? 0) * (probe[i] ?? 0);
      const personId = this.#people[row];
      if (dot >= floor && personId !== undefined) hits.push({ personId, similarity: dot });
    }
  }

  #enrol(personId: string): number {
    const row = this.#people.length;
    if ((row + 1) * this.length > this.#rows.length) {
      const grown = new Float32Array(this.#rows.length * 2);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    this.#people.push(personId);
    this.#norms.push(0);
    this.#rowOf.set(personId, row);
    return row;
  }
}

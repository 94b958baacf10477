/**
 * Finds candidates near a face: one row per person, the unit-length mean of the person's templates. It never misses:
 * it returns everyone who reaches the floor, and a few just below it; the caller compares them in full precision.
 */
import { RowBlock } from './row-block.ts';

export class PersonIndex {
  readonly #block: RowBlock;
  readonly #people: string[] = [];
  readonly #rowOf = new Map<string, number>();

  /** @param length components of one embedding */
  constructor(length: number) {
    this.#block = new RowBlock(length);
  }

  /** Number of people enrolled. */
  get size(): number {
    return this.#people.length;
  }

  /** Memory of the rows, without the list of people. */
  get bytes(): number {
    return this.#block.bytes;
  }

  /** Enrols a person, or replaces their vector. */
  put(personId: string, vector: Float32Array): void {
    const row = this.#rowFor(personId);
    this.#block.write(row, vector);
    this.#take(row, personId);
  }

  /** The same with a row that `packRow` rounded before. */
  putPacked(personId: string, packed: Uint8Array): void {
    const row = this.#rowFor(personId);
    this.#block.writePacked(row, packed);
    this.#take(row, personId);
  }

  #rowFor(personId: string): number {
    return this.#rowOf.get(personId) ?? this.#people.length;
  }

  #take(row: number, personId: string): void {
    this.#people[row] = personId;
    this.#rowOf.set(personId, row);
  }

  /** Removes a person; false if they were not enrolled. Nothing of the row stays in memory. */
  remove(personId: string): boolean {
    const row = this.#rowOf.get(personId);
    const moved = this.#people.at(-1);
    if (row === undefined || moved === undefined) return false;
    this.#block.removeByMovingLast(row);
    this.#people[row] = moved;
    this.#rowOf.set(moved, row);
    this.#people.pop();
    this.#rowOf.delete(personId);
    return true;
  }

  /** Everyone whose cosine with `probe` (unit length) is `floor` or more, in no order, and perhaps a few others. */
  candidates(probe: Float32Array, floor: number): string[] {
    return this.#block.candidates(probe, floor).flatMap((row) => this.#people[row] ?? []);
  }
}

/**
 * Who may be near a face: one row a person, the unit-length mean of the person's templates. Exact in one direction: it
 * names everyone who reaches the floor, and a few who do not quite; the caller compares them in full precision.
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

  /** People enrolled. */
  get size(): number {
    return this.#people.length;
  }

  /** Of the rows' memory, without the list of people. */
  get bytes(): number {
    return this.#block.bytes;
  }

  /** Enrols a person, or puts this vector in the place of the one they had. */
  put(personId: string, vector: Float32Array): void {
    const row = this.#rowOf.get(personId) ?? this.#people.length;
    this.#block.write(row, vector);
    this.#people[row] = personId;
    this.#rowOf.set(personId, row);
  }

  /** Takes a person out; false where they were not enrolled. Nothing of the row stays in memory. */
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

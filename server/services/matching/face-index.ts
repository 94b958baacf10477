/**
 * The enrolled faces: an exact index in a thread of its own, in step with the store, and the comparison in full
 * precision inside a transaction.
 */
import { cosine } from '../../domain/matching/matching.ts';
import type { Scope } from '../../domain/scope.ts';
import { createIndexThread, IndexLostError } from '../../face/index/index-thread.ts';
import {
  countFaceChangesAfter,
  lastFaceChange,
  listFaceChangesAfter,
} from '../../store/matching/face-changes.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { countEnrolled, listTemplateScopes } from '../../store/matching/templates.ts';
import { everyFace, type Face, readFaces } from './face-index-load.ts';

export type FaceIndexSearch = {
  /** Everyone at or above the floor, and a few who are not quite: `compare` tells them apart. */
  candidates: string[];
  /** People searched. */
  enrolled: number;
  /** Last change that the search has seen; what came later is looked at inside the settling transaction. */
  seenSeq: number;
};

/** A person at or above the floor, with the mean of their templates. */
export type Hit = Face & { similarity: number };

export type FaceIndex = {
  /** Takes in what has been committed, then looks at everyone of the scope. */
  search(scope: Scope, probe: Float32Array, floor: number): Promise<FaceIndexSearch>;
  /**
   * Everyone in the scope at or above `floor` cosine, best first, as the transaction sees them: `found` and all people
   * changed since, compared with their stored templates. Includes everyone enrolled before this settlement, here or by
   * another process, and nobody who was erased.
   */
  compare(
    tx: SqlReader,
    scope: Scope,
    probe: Float32Array,
    floor: number,
    found: FaceIndexSearch,
  ): Promise<Hit[]>;
  /** Takes in what has been committed since, enrolments and erasures alike. */
  catchUp(scope: Scope): Promise<void>;
  /** The same for every scope that was loaded. */
  catchUpAll(): Promise<void>;
  /** Changes in the store that the index has not taken in yet. */
  lag(): Promise<number>;
  /** Compares every index with the store, and rebuilds one that disagrees. Returns the scopes rebuilt. */
  check(): Promise<Scope[]>;
  /** People of the scope in the index. */
  enrolled(scope: Scope): number;
  /** Memory of all rows. */
  bytes(): number;
  close(): Promise<void>;
};

type Shelf = {
  name: string;
  scope: Scope;
  /** Up to which change the index has followed the store; null before it was loaded. */
  seenSeq: number | null;
  /** Of the thread that it was loaded into. */
  generation: number;
  enrolled: number;
  bytes: number;
  /** One change at a time: an older reading must not overwrite a newer one. */
  turn: Promise<unknown>;
};

const CHANGES_PER_PAGE = 1_000;

/** Loads every scope's faces of `model`. */
export async function openFaceIndex(
  db: SqlReader,
  model: { id: string; embeddingLength: number },
): Promise<FaceIndex> {
  const thread = createIndexThread({ embeddingLength: model.embeddingLength });
  const shelves = new Map<string, Shelf>();

  function partitionOf(scope: Scope): Shelf {
    const name = `${scope.companyId}/${scope.partition}`;
    let shelf = shelves.get(name);
    if (!shelf) {
      shelf = {
        name,
        scope,
        seenSeq: null,
        generation: thread.generation,
        enrolled: 0,
        bytes: 0,
        turn: Promise.resolve(),
      };
      shelves.set(name, shelf);
    }
    return shelf;
  }

  /** Runs `work` after all earlier work. Loads the data of a lost thread again, once. */
  function inTurn<T>(shelf: Shelf, work: () => Promise<T>): Promise<T> {
    const mine = shelf.turn.then(async () => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof IndexLostError)) throw error;
        shelf.seenSeq = null;
        return work();
      }
    });
    shelf.turn = mine.catch(() => undefined);
    return mine;
  }

  async function ask(shelf: Shelf, order: ThreadOrder): Promise<string[]> {
    // A thread that came after the one that was filled would find nobody.
    if (shelf.generation !== thread.generation)
      throw new IndexLostError('the thread of the face index ended');
    const reply = await thread.ask({ ...order, shelf: shelf.name });
    shelf.enrolled = reply.enrolled;
    shelf.bytes = reply.bytes;
    return reply.people;
  }

  async function put(shelf: Shelf, faces: readonly Face[]): Promise<void> {
    if (faces.length === 0) return;
    const vectors = new Float32Array(faces.length * model.embeddingLength);
    for (const [n, face] of faces.entries()) vectors.set(face.vector, n * model.embeddingLength);
    await ask(shelf, { kind: 'put', people: faces.map(({ personId }) => personId), vectors });
  }

  /** The store is read on while the thread takes in the page before. */
  async function load(shelf: Shelf): Promise<void> {
    shelf.generation = thread.generation;
    if (shelf.enrolled > 0) await ask(shelf, { kind: 'clear' });
    // Read before the faces: a change that the pages have seen already is merely taken in twice.
    const seenSeq = await lastFaceChange(db, shelf.scope);
    let taken: Promise<void> = Promise.resolve();
    for await (const faces of everyFace(db, shelf.scope, model.id)) {
      await taken;
      taken = put(shelf, faces);
      taken.catch(() => undefined);
    }
    await taken;
    shelf.seenSeq = seenSeq;
  }

  async function follow(shelf: Shelf): Promise<number> {
    // A database restored under a running server has fewer changes than were seen.
    if (shelf.seenSeq !== null && (await lastFaceChange(db, shelf.scope)) < shelf.seenSeq)
      shelf.seenSeq = null;
    if (shelf.seenSeq === null) await load(shelf);
    let seenSeq = shelf.seenSeq ?? 0;
    for (;;) {
      const changes = await listFaceChangesAfter(db, shelf.scope, seenSeq, CHANGES_PER_PAGE);
      const last = changes.at(-1);
      if (!last) return seenSeq;
      const people = changes.map(({ personId }) => personId);
      const faces = await readFaces(db, shelf.scope, model.id, people);
      const present = new Set(faces.map(({ personId }) => personId));
      const gone = people.filter((personId) => !present.has(personId));
      await put(shelf, faces);
      if (gone.length > 0 && shelf.enrolled > 0) await ask(shelf, { kind: 'remove', people: gone });
      seenSeq = last.seq;
      shelf.seenSeq = seenSeq;
    }
  }

  const catchUp = async (scope: Scope): Promise<void> => {
    const shelf = partitionOf(scope);
    await inTurn(shelf, () => follow(shelf));
  };

  async function disagrees(shelf: Shelf): Promise<boolean> {
    const seenSeq = await follow(shelf);
    const inStore = await countEnrolled(db, shelf.scope, model.id);
    // Where someone was enrolled between the two readings, the next check will tell.
    return inStore !== shelf.enrolled && (await lastFaceChange(db, shelf.scope)) === seenSeq;
  }

  for (const scope of await listTemplateScopes(db)) await catchUp(scope);

  return {
    catchUp,
    enrolled: (scope) => partitionOf(scope).enrolled,
    bytes: () => [...shelves.values()].reduce((total, { bytes }) => total + bytes, 0),
    close: () => thread.close(),
    async catchUpAll() {
      for (const { scope } of [...shelves.values()]) await catchUp(scope);
    },
    async lag() {
      let behind = 0;
      for (const { scope, seenSeq } of shelves.values())
        behind += await countFaceChangesAfter(db, scope, seenSeq ?? 0);
      return behind;
    },
    async check() {
      const rebuilt: Scope[] = [];
      for (const shelf of [...shelves.values()]) {
        await inTurn(shelf, async () => {
          if (!(await disagrees(shelf))) return;
          shelf.seenSeq = null;
          await follow(shelf);
          rebuilt.push(shelf.scope);
        });
      }
      return rebuilt;
    },
    search(scope, probe, floor) {
      const shelf = partitionOf(scope);
      return inTurn(shelf, async () => {
        const seenSeq = await follow(shelf);
        const candidates =
          shelf.enrolled === 0 ? [] : await ask(shelf, { kind: 'search', probe: probe.slice(), floor });
        return { candidates, enrolled: shelf.enrolled, seenSeq };
      });
    },
    async compare(tx, scope, probe, floor, { candidates, seenSeq }) {
      const late = await listFaceChangesAfter(tx, scope, seenSeq, Number.MAX_SAFE_INTEGER);
      const people = new Set([...candidates, ...late.map(({ personId }) => personId)]);
      const faces = await readFaces(tx, scope, model.id, [...people]);
      return faces
        .map((face) => ({ ...face, similarity: cosine(probe, face.vector) }))
        .filter(({ similarity }) => similarity >= floor)
        .sort((a, b) => b.similarity - a.similarity);
    },
  };
}

type WithoutPartition<T> = T extends unknown ? Omit<T, 'shelf'> : never;
type ThreadOrder = WithoutPartition<Parameters<ReturnType<typeof createIndexThread>['ask']>[0]>;

/**
 * The enrolled faces: an exact index in a separate thread, in sync with the store, and the comparison in full
 * precision inside a transaction.
 */
import { cosine } from '../../domain/matching/matching.ts';
import type { FacePool } from '../../domain/matching/face-pool.ts';
import { isSameScope, type Scope } from '../../domain/scope.ts';
import { createIndexThread, IndexLostError } from '../../face/index/index-thread.ts';
import { packedLength } from '../../face/index/quantise.ts';
import {
  countFaceChangesAfter,
  lastFaceChange,
  listFaceChangesAfter,
} from '../../store/matching/face-changes.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { deleteStrayFaceRows, type FaceRow } from '../../store/matching/face-rows.ts';
import { countEnrolled, listFacePools } from '../../store/matching/templates.ts';
import { type Face, packedFaces, packFaces, readFaces, unpackedFaces } from './face-index-load.ts';

export type FaceIndexSearch = {
  /** Everyone at or above the floor, and a few just below it, whom `compare` filters out. */
  candidates: string[];
  /** Number of people searched. */
  enrolled: number;
  /** Last change that the search has seen; later ones are checked inside the settling transaction. */
  seenSeq: number;
};

/** A person at or above the floor, with the mean of their templates. */
export type Hit = Face & { similarity: number };

export type FaceIndex = {
  /** Applies committed changes, then searches everyone in the pool. */
  search(pool: FacePool, probe: Float32Array, floor: number): Promise<FaceIndexSearch>;
  /**
   * Everyone in the pool at or above `floor` cosine, best first, as the transaction sees them: `found` and all people
   * changed since, compared with their stored templates. Includes everyone enrolled before this settlement, here or by
   * another process, and nobody who was erased.
   */
  compare(
    tx: SqlReader,
    pool: FacePool,
    probe: Float32Array,
    floor: number,
    found: FaceIndexSearch,
  ): Promise<Hit[]>;
  /** Applies what has been committed since in every pool of the scope, enrolments and erasures alike. */
  catchUp(scope: Scope): Promise<void>;
  /** The same for every loaded pool. Forgets those of events that have no faces any more. */
  catchUpAll(): Promise<void>;
  /** Changes in the store that the index has not applied yet. */
  lag(): Promise<number>;
  /** Compares every index with the store, and rebuilds those that disagree. Returns the pools rebuilt. */
  check(): Promise<FacePool[]>;
  /**
   * Writes some of the packed rows that the next start reads instead of templates. Call it again until nothing is left.
   * @returns the number of people that are left
   */
  pack(): Promise<number>;
  /** People of the pool in the index. */
  enrolled(pool: FacePool): number;
  /** Memory of all rows, in bytes. */
  bytes(): number;
  close(): Promise<void>;
};

type PartitionIndex = {
  name: string;
  pool: FacePool;
  /** The change up to which the index has followed the store; null before it was loaded. */
  seenSeq: number | null;
  /** Of the thread that it was loaded into. */
  generation: number;
  enrolled: number;
  bytes: number;
  /** People whose templates were read, so that their packed row is probably missing. */
  unpacked: Set<string>;
  /** One change at a time: older data must not overwrite newer data. */
  turn: Promise<unknown>;
};

const CHANGES_PER_PAGE = 1_000;
/** About 10 ms of a transaction. */
const PACKED_AT_ONCE = 200;

/** Loads every pool's faces of `model`. */
export async function openFaceIndex(
  db: Database,
  model: { id: string; embeddingLength: number },
): Promise<FaceIndex> {
  const thread = createIndexThread({ embeddingLength: model.embeddingLength });
  const partitions = new Map<string, PartitionIndex>();

  function partitionOf(pool: FacePool): PartitionIndex {
    const name = `${pool.companyId}/${pool.partition}/${pool.eventId ?? ''}`;
    let partition = partitions.get(name);
    if (!partition) {
      partition = {
        name,
        pool,
        seenSeq: null,
        generation: thread.generation,
        enrolled: 0,
        bytes: 0,
        unpacked: new Set(),
        turn: Promise.resolve(),
      };
      partitions.set(name, partition);
    }
    return partition;
  }

  /** Runs `work` after all earlier work. If the thread was lost, loads its data again, once. */
  function inTurn<T>(partition: PartitionIndex, work: () => Promise<T>): Promise<T> {
    const mine = partition.turn.then(async () => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof IndexLostError)) throw error;
        partition.seenSeq = null;
        return work();
      }
    });
    partition.turn = mine.catch(() => undefined);
    return mine;
  }

  async function ask(partition: PartitionIndex, order: ThreadOrder): Promise<string[]> {
    // A new thread that was not filled yet would find nobody.
    if (partition.generation !== thread.generation)
      throw new IndexLostError('the thread of the face index ended');
    const reply = await thread.ask({ ...order, partition: partition.name });
    partition.enrolled = reply.enrolled;
    partition.bytes = reply.bytes;
    return reply.people;
  }

  async function put(partition: PartitionIndex, faces: readonly Face[]): Promise<void> {
    if (faces.length === 0) return;
    const vectors = new Float32Array(faces.length * model.embeddingLength);
    for (const [n, { personId, vector }] of faces.entries()) {
      vectors.set(vector, n * model.embeddingLength);
      if (partition.pool.eventId === undefined) partition.unpacked.add(personId);
    }
    await ask(partition, { kind: 'put', people: faces.map(({ personId }) => personId), vectors });
  }

  async function putPacked(partition: PartitionIndex, page: readonly FaceRow[]): Promise<void> {
    const length = packedLength(model.embeddingLength);
    const rows = new Uint8Array(page.length * length);
    for (const [n, { packed }] of page.entries()) rows.set(packed, n * length);
    await ask(partition, { kind: 'put_packed', people: page.map(({ personId }) => personId), rows });
  }

  /** Reads on from the store while the thread applies the previous page. */
  async function putEach<T>(pages: AsyncIterable<T>, putPage: (page: T) => Promise<void>): Promise<void> {
    let taken: Promise<void> = Promise.resolve();
    for await (const page of pages) {
      await taken;
      taken = putPage(page);
      taken.catch(() => undefined);
    }
    await taken;
  }

  async function load(partition: PartitionIndex): Promise<void> {
    partition.generation = thread.generation;
    if (partition.enrolled > 0) await ask(partition, { kind: 'clear' });
    // Read before the faces: applying a change that the pages already contain does no harm.
    const seenSeq = await lastFaceChange(db, partition.pool);
    partition.unpacked.clear();
    // Before the rows: a row that is written between the two reads is then loaded twice instead of never.
    await putEach(unpackedFaces(db, partition.pool, model.id), (faces) => put(partition, faces));
    if (partition.pool.eventId === undefined)
      await putEach(packedFaces(db, partition.pool, model.id), (rows) => putPacked(partition, rows));
    partition.seenSeq = seenSeq;
  }

  async function follow(partition: PartitionIndex): Promise<number> {
    // A database restored under a running server has fewer changes than the index has seen.
    if (partition.seenSeq !== null && (await lastFaceChange(db, partition.pool)) < partition.seenSeq)
      partition.seenSeq = null;
    if (partition.seenSeq === null) await load(partition);
    let seenSeq = partition.seenSeq ?? 0;
    for (;;) {
      const changes = await listFaceChangesAfter(db, partition.pool, seenSeq, CHANGES_PER_PAGE);
      const last = changes.at(-1);
      if (!last) return seenSeq;
      const people = changes.map(({ personId }) => personId);
      const faces = await readFaces(db, partition.pool, model.id, people);
      const present = new Set(faces.map(({ personId }) => personId));
      const gone = people.filter((personId) => !present.has(personId));
      await put(partition, faces);
      for (const personId of gone) partition.unpacked.delete(personId);
      if (gone.length > 0 && partition.enrolled > 0) await ask(partition, { kind: 'remove', people: gone });
      seenSeq = last.seq;
      partition.seenSeq = seenSeq;
    }
  }

  const followInTurn = (partition: PartitionIndex) => inTurn(partition, () => follow(partition));

  const catchUp = async (scope: Scope): Promise<void> => {
    await followInTurn(partitionOf({ companyId: scope.companyId, partition: scope.partition }));
    const events = [...partitions.values()].filter(
      ({ pool }) => pool.eventId !== undefined && isSameScope(pool, scope),
    );
    for (const event of events) await followInTurn(event);
  };

  async function disagrees(partition: PartitionIndex): Promise<boolean> {
    const seenSeq = await follow(partition);
    const inStore = await countEnrolled(db, partition.pool, model.id);
    // If someone was enrolled between the two reads, the next check decides.
    return inStore !== partition.enrolled && (await lastFaceChange(db, partition.pool)) === seenSeq;
  }

  for (const pool of await listFacePools(db)) await followInTurn(partitionOf(pool));

  return {
    catchUp,
    enrolled: (pool) => partitionOf(pool).enrolled,
    bytes: () => [...partitions.values()].reduce((total, { bytes }) => total + bytes, 0),
    close: () => thread.close(),
    async catchUpAll() {
      for (const partition of [...partitions.values()]) {
        await followInTurn(partition);
        if (partition.pool.eventId !== undefined && partition.enrolled === 0)
          partitions.delete(partition.name);
      }
    },
    async lag() {
      let behind = 0;
      for (const { pool, seenSeq } of partitions.values())
        behind += await countFaceChangesAfter(db, pool, seenSeq ?? 0);
      return behind;
    },
    async pack() {
      let left = 0;
      for (const { pool, unpacked } of partitions.values()) {
        const people = [...unpacked].slice(0, PACKED_AT_ONCE);
        // First, because a change that is followed meanwhile adds its person again.
        for (const personId of people) unpacked.delete(personId);
        try {
          if (people.length > 0) await packFaces(db, pool, model.id, people);
        } catch (error) {
          for (const personId of people) unpacked.add(personId);
          throw error;
        }
        left += unpacked.size;
      }
      return left;
    },
    async check() {
      const rebuilt: FacePool[] = [];
      for (const partition of [...partitions.values()]) {
        await inTurn(partition, async () => {
          if (!(await disagrees(partition))) return;
          const { pool } = partition;
          await db.tx((tx) => deleteStrayFaceRows(tx, pool), { companyId: pool.companyId });
          partition.seenSeq = null;
          await follow(partition);
          rebuilt.push(pool);
        });
      }
      return rebuilt;
    },
    search(pool, probe, floor) {
      const partition = partitionOf(pool);
      return inTurn(partition, async () => {
        const seenSeq = await follow(partition);
        const candidates =
          partition.enrolled === 0
            ? []
            : await ask(partition, { kind: 'search', probe: probe.slice(), floor });
        return { candidates, enrolled: partition.enrolled, seenSeq };
      });
    },
    async compare(tx, pool, probe, floor, { candidates, seenSeq }) {
      const late = await listFaceChangesAfter(tx, pool, seenSeq, Number.MAX_SAFE_INTEGER);
      const people = new Set([...candidates, ...late.map(({ personId }) => personId)]);
      const faces = await readFaces(tx, pool, model.id, [...people]);
      return faces
        .map((face) => ({ ...face, similarity: cosine(probe, face.vector) }))
        .filter(({ similarity }) => similarity >= floor)
        .sort((a, b) => b.similarity - a.similarity);
    },
  };
}

type WithoutPartition<T> = T extends unknown ? Omit<T, 'partition'> : never;
type ThreadOrder = WithoutPartition<Parameters<ReturnType<typeof createIndexThread>['ask']>[0]>;

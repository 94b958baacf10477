/** Recall of processes on one database, each with its own face index, and of a start after one was killed. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { leaseDatabase } from '../../../testing/postgres/lease.ts';
import type { FaceReply, FaceRequest, FaceWork } from '../../../testing/service/face-node.ts';
import { NOW, seedCompany } from '../../../testing/store/rows.ts';
import { onSqlite, openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { limitMs, sized } from '../../../testing/tier.ts';
import { cosine, normalisedMean, toUnitLength } from '../../domain/matching/matching.ts';
import type { Scope } from '../../domain/scope.ts';
import { packRow } from '../../face/index/quantise.ts';
import { listFaceRows } from '../../store/matching/face-rows.ts';
import { insertTemplate, listTemplatesOfPeople } from '../../store/matching/templates.ts';
import { erasePerson } from '../../store/people/erasure.ts';
import { insertPerson } from '../../store/people/people.ts';
import type { Database } from '../../store/sql/port.ts';
import { openFaceIndex } from './face-index.ts';

const LIVE: Scope = { companyId: 'c', partition: 'live' };
const FACE_NODE = path.resolve(import.meta.dirname, '../../../testing/service/face-node.ts');
/** Random faces of 16 numbers reach it with about one other in forty. */
const FLOOR = 0.5;
const PEOPLE = 60;
/** More than a node packs at once. */
const CROWD = 400;
const KILLS = sized(1, 8);
const LANES = 8;

type FaceNode = {
  (work: FaceWork): Promise<string[]>;
  /** SIGKILL; resolves once the process has gone. Work in progress is rejected. */
  kill9(): Promise<void>;
};

async function startNode(database: string): Promise<FaceNode> {
  const child = fork(FACE_NODE, [database]);
  onTestFinished(() => {
    if (child.connected) child.disconnect();
  });
  const waiting = new Map<number, PromiseWithResolvers<string[]>>();
  let asked = 0;
  const expectReply = (id: number) => {
    const reply = Promise.withResolvers<string[]>();
    waiting.set(id, reply);
    return reply.promise;
  };
  child.on('message', ({ id, people }: FaceReply) => waiting.get(id)?.resolve(people));
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The node ended with ${code}.`));
  });
  await expectReply(0);
  const node = (work: FaceWork) => {
    asked += 1;
    const id = asked;
    const reply = expectReply(id);
    child.send({ id, scope: LIVE, work } satisfies FaceRequest, (error) => {
      if (error) waiting.get(id)?.reject(error);
    });
    return reply;
  };
  const kill9 = async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return Object.assign(node, { kill9 });
}

function face(n: number): number[] {
  // Spread evenly, and the same in each run.
  const angles = Array.from(
    { length: 16 },
    (_, axis) => Math.sin((n + 1) * (axis + 1) * 12.9898) * 43_758.5453,
  );
  return [...toUnitLength(Float32Array.from(angles, (angle) => angle - Math.floor(angle) - 0.5))];
}

const anyTemplate = (personId: string, n: number) => ({
  ...{ personId, passId: 'p', model: 'm', quality: 1, at: NOW },
  vector: Float32Array.from(face(n)),
});

async function enrolMany(db: Database, round: number): Promise<void> {
  await db.tx(async (tx) => {
    for (let n = 0; n < CROWD; n += 1) {
      const person = `crowd-${round}-${n}`;
      await insertPerson(tx, LIVE, person, NOW);
      await insertTemplate(tx, LIVE, anyTemplate(person, n));
    }
  });
}

/** Erases every second one, and gives the others another template. */
function changeOne(db: Database, person: string, n: number): Promise<void> {
  return db.tx(async (tx) => {
    if (n % 2 === 0) await erasePerson(tx, LIVE, { id: person, identities: [], externalIds: [] }, 0);
    else await insertTemplate(tx, LIVE, anyTemplate(person, 50_000 + n));
  }, LIVE);
}

async function peopleOf(db: Database): Promise<string[]> {
  const people = await db.all<{ id: string }>(
    'SELECT DISTINCT person_id AS id FROM templates ORDER BY person_id',
  );
  return people.map(({ id }) => id);
}

/** Everyone's face from the templates alone. */
async function meansOf(db: Database): Promise<Map<string, Float32Array>> {
  const templates = await listTemplatesOfPeople(db, LIVE, 'm', await peopleOf(db));
  const vectors = Map.groupBy(templates, ({ personId }) => personId);
  return new Map(
    [...vectors].map(([person, own]) => [person, normalisedMean(own.map(({ vector }) => vector))]),
  );
}

it(
  'is 1.000 against brute force when a node starts after another was killed while it wrote packed rows',
  async () => {
    const dir = tempDir();
    const db = await openTempStore(dir);
    await seedCompany(db, 'c');
    const database = onSqlite ? dir : await leaseDatabase(dir);
    const acknowledged: string[] = [];
    const rowCount = async () => (await db.all('SELECT 1 FROM face_rows')).length;

    for (let round = 0; round < KILLS; round += 1) {
      await enrolMany(db, round);
      const before = await rowCount();
      const node = await startNode(database);
      const packing = node({ kind: 'pack' }).catch(() => undefined);
      const enrolling = (async () => {
        for (let n = 0; ; n += 1) {
          const person = `acknowledged-${round}-${n}`;
          await node({ kind: 'enrol', person, face: face(90_000 + n) });
          acknowledged.push(person);
        }
      })().catch(() => undefined);
      const over = new AbortController();
      const changing = (async () => {
        const fresh = (await peopleOf(db)).filter((person) => person.startsWith(`crowd-${round}-`));
        while (!over.signal.aborted && fresh.length > 0)
          await changeOne(db, fresh.splice(0, 7)[0] ?? '', fresh.length);
      })();
      await expect.poll(rowCount, { interval: 1 }).toBeGreaterThan(before);
      await node.kill9();
      over.abort();
      await Promise.all([packing, enrolling, changing]);

      const truth = await meansOf(db);
      for (const person of acknowledged) expect(truth.has(person)).toBe(true);
      const rows = await listFaceRows(db, LIVE, 'm', '', 10_000);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.length).toBeLessThan(truth.size);
      for (const { personId, packed } of rows)
        expect(Buffer.from(packed)).toEqual(Buffer.from(packRow(truth.get(personId)!)));

      const index = await openFaceIndex(db, { id: 'm', embeddingLength: 16 });
      try {
        expect(index.enrolled(LIVE)).toBe(truth.size);
        for (let n = 0; n < CROWD; n += 10) {
          const probe = Float32Array.from(face(n));
          const found = await index.search(LIVE, probe, FLOOR);
          const hits = await db.tx((tx) => index.compare(tx, LIVE, probe, FLOOR, found));
          const expected = [...truth].flatMap(([person, own]) =>
            cosine(own, probe) >= FLOOR ? [person] : [],
          );
          expect(hits.map(({ personId }) => personId).sort()).toEqual(expected.sort());
        }
      } finally {
        await index.close();
      }
    }
  },
  limitMs(60_000),
);

it.skipIf(onSqlite)(
  'is 1.000 against brute force after each enrolment and erasure of two processes at once',
  async () => {
    const dir = tempDir();
    await seedCompany(await openTempStore(dir), 'c');
    const url = await leaseDatabase(dir);
    const nodes = await Promise.all([startNode(url), startNode(url)]);

    const enrolled = new Map<string, number[]>();
    const erased = new Set<string>();
    const similar = (probe: number[]) =>
      [...enrolled].flatMap(([person, own]) =>
        cosine(Float32Array.from(own), Float32Array.from(probe)) >= FLOOR ? [person] : [],
      );
    let expected = 0;
    let found = 0;
    let wrong = 0;
    const look = async (probe: number[]) => {
      const before = similar(probe);
      const gone = [...erased];
      for (const people of await Promise.all(
        nodes.map((node) => node({ kind: 'find', face: probe, floor: FLOOR })),
      )) {
        // Whose erasure has begun meanwhile may be found or not.
        const sure = before.filter((person) => enrolled.has(person));
        expected += sure.length;
        found += sure.filter((person) => people.includes(person)).length;
        wrong += people.filter((person) => gone.includes(person)).length;
      }
    };

    const visit = async (n: number) => {
      const [here, there] = n % 2 === 0 ? nodes : [nodes[1], nodes[0]];
      const person = `person-${n}`;
      const own = face(n);
      await here({ kind: 'enrol', person, face: own });
      enrolled.set(person, own);
      await look(own);
      if (n % 3 !== 0) return;
      enrolled.delete(person);
      await there({ kind: 'erase', person });
      erased.add(person);
      await look(own);
    };
    let next = 0;
    const lane = async () => {
      while (next < PEOPLE) await visit(next++);
    };
    await Promise.all(Array.from({ length: LANES }, lane));

    expect({ recall: found / expected, wrong }).toEqual({ recall: 1, wrong: 0 });
    expect(expected).toBeGreaterThan(2 * PEOPLE);
    for (let n = 0; n < PEOPLE; n += 1) {
      const probe = face(n);
      for (const node of nodes) {
        const people = await node({ kind: 'find', face: probe, floor: FLOOR });
        expect(people.toSorted()).toEqual(similar(probe).toSorted());
      }
    }
  },
  limitMs(30_000),
);

/** Recall of two processes on one database, each with its own face index. */
import { fork } from 'node:child_process';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { leaseDatabase } from '../../../testing/postgres/lease.ts';
import type { FaceReply, FaceRequest, FaceWork } from '../../../testing/service/face-node.ts';
import { seedCompany } from '../../../testing/service/rows.ts';
import { onSqlite, openTempStore, tempDir } from '../../../testing/service/temp-store.ts';
import { limitMs } from '../../../testing/tier.ts';
import { cosine, toUnitLength } from '../../domain/matching/matching.ts';
import type { Scope } from '../../domain/scope.ts';

const LIVE: Scope = { companyId: 'c', partition: 'live' };
const FACE_NODE = path.resolve(import.meta.dirname, '../../../testing/service/face-node.ts');
/** Random faces of 16 numbers reach it with about one other in forty. */
const FLOOR = 0.5;
const PEOPLE = 60;
const LANES = 8;

async function startNode(url: string): Promise<(work: FaceWork) => Promise<string[]>> {
  const child = fork(FACE_NODE, [url]);
  onTestFinished(() => child.disconnect());
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
  return (work) => {
    asked += 1;
    child.send({ id: asked, scope: LIVE, work } satisfies FaceRequest);
    return expectReply(asked);
  };
}

function face(n: number): number[] {
  // Spread evenly, and the same in each run.
  const angles = Array.from(
    { length: 16 },
    (_, axis) => Math.sin((n + 1) * (axis + 1) * 12.9898) * 43_758.5453,
  );
  return [...toUnitLength(Float32Array.from(angles, (angle) => angle - Math.floor(angle) - 0.5))];
}

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

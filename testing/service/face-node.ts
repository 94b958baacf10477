/**
 * Enrols, erases and searches as one node does, in a process of its own: `node face-node.ts DATABASE`, the address of a
 * PostgreSQL database or the folder of a SQLite one.
 */
import path from 'node:path';
import type { Scope } from '../../server/domain/scope.ts';
import { openFaceIndex } from '../../server/services/matching/face-index.ts';
import { insertTemplate } from '../../server/store/matching/templates.ts';
import { erasePerson } from '../../server/store/people/erasure.ts';
import { insertPerson } from '../../server/store/people/people.ts';
import { openPostgres } from '../../server/store/sql/postgres/driver.ts';
import { openSqlite } from '../../server/store/sql/sqlite/driver.ts';
import { testKeys } from '../postgres/server.ts';

export type FaceWork =
  | { kind: 'enrol'; person: string; face: readonly number[] }
  | { kind: 'erase'; person: string }
  | { kind: 'find'; face: readonly number[]; floor: number }
  /** Writes packed rows until nothing is left. */
  | { kind: 'pack' };
export type FaceRequest = { id: number; scope: Scope; work: FaceWork };
/** The people that were found; nobody where none were sought. */
export type FaceReply = { id: number; people: string[] };

const MODEL = { id: 'm', embeddingLength: 16 };

const [, , database = ''] = process.argv;
const db = database.startsWith('postgres:')
  ? await openPostgres({ url: database, keys: testKeys })
  : await openSqlite({
      path: path.join(database, 'gatehouse.db'),
      keyPath: path.join(database, 'gatehouse.key'),
    });
const index = await openFaceIndex(db, MODEL);

async function run(scope: Scope, work: FaceWork): Promise<string[]> {
  if (work.kind === 'find') {
    const probe = Float32Array.from(work.face);
    const found = await index.search(scope, probe, work.floor);
    const hits = await db.tx((tx) => index.compare(tx, scope, probe, work.floor, found), scope);
    return hits.map(({ personId }) => personId);
  }
  if (work.kind === 'pack') {
    while ((await index.pack()) > 0);
    return [];
  }
  const { person } = work;
  await db.tx(async (tx) => {
    if (work.kind === 'erase') {
      await erasePerson(tx, scope, { id: person, identities: [], externalIds: [] }, 0);
      return;
    }
    const vector = Float32Array.from(work.face);
    const at = Date.now();
    await insertPerson(tx, scope, person, at);
    await insertTemplate(tx, scope, {
      personId: person,
      passId: 'p',
      model: MODEL.id,
      vector,
      quality: 1,
      at,
    });
  }, scope);
  return [];
}

process.on('disconnect', () => process.exit());
process.on('message', ({ id, scope, work }: FaceRequest) => {
  // A rejection ends the process, and with it the test.
  void run(scope, work).then((people) => process.send?.({ id, people } satisfies FaceReply));
});
process.send?.({ id: 0, people: [] } satisfies FaceReply);

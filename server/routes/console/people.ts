import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import { blockPerson, endPersonBlock, readBlocks, readBlocksOf } from '../../services/people/blocks.ts';
import { listTwins } from '../../services/people/canonical.ts';
import { listKeysOfMetadata, listPersonItems } from '../../services/people/people.ts';
import { erasePersonInConsole, listProofs, readErasureProof } from '../../services/people/erasure.ts';
import { exportPerson } from '../../services/people/export.ts';
import { changeLookAlike, readLookAlikes } from '../../services/people/look-alikes.ts';
import { advanceTestClock, showTestClock } from '../../services/people/test-clock.ts';
import { clearTestData } from '../../services/people/test-data.ts';
import { readPersonHistory, readPersonProfile } from '../../services/people/profile.ts';
import { erasures, people, testData } from '../../contract/routes/console/people.ts';
import { IMPORT_TYPES } from '../../contract/console/people-import.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { importPeople } from '../../services/people/import.ts';
import { acceptFiles } from '../json-bodies.ts';
import { register } from './register.ts';

/** People: reviewers find and read them, admins export and erase. */
export function peopleRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'faces' | 'faceIndex'>,
): void {
  const { db } = deps;
  register(app, deps, people.list, ({ scope, query }) => listPersonItems(db, scope, query));
  register(app, deps, people.metadataKeys, ({ scope }) => listKeysOfMetadata(db, scope));
  register(app, deps, people.twins, ({ scope }) => listTwins(db, scope));
  void app.register(async (files) => {
    acceptFiles(files, IMPORT_TYPES);
    register(files, deps, people.import, ({ scope, query, actor, request: { body } }) => {
      if (!Buffer.isBuffer(body)) throw new Refusal('import_not_json');
      return importPeople(deps, scope, { bytes: body, isRehearsal: query.rehearse === 'yes', actor });
    });
  });
  register(app, deps, people.read, ({ scope, params: { person_id: id } }) =>
    readPersonProfile(deps, scope, id),
  );
  register(app, deps, people.history, ({ scope, params: { person_id: id }, query }) =>
    readPersonHistory(db, scope, id, query),
  );
  register(app, deps, people.blocks, ({ scope, query }) => readBlocks(deps, scope, query));
  register(app, deps, people.blocksOf, ({ scope, params: { person_id: id } }) =>
    readBlocksOf(deps, scope, id),
  );
  register(app, deps, people.block, ({ scope, params: { person_id: id }, body, actor }) =>
    blockPerson(deps, scope, id, { ...body, actor }),
  );
  register(app, deps, people.unblock, ({ scope, params: { person_id: id }, body, actor }) =>
    endPersonBlock(deps, scope, id, { ...body, actor }),
  );
  register(app, deps, people.lookAlikes, ({ scope, params: { person_id: id } }) =>
    readLookAlikes(deps, scope, id),
  );
  register(app, deps, people.changeLookAlike, ({ scope, params: { person_id: id }, body, actor }) =>
    changeLookAlike(deps, scope, id, { ...body, actor }),
  );
  register(app, deps, people.export, async ({ scope, params: { person_id: id }, actor, reply }) =>
    sendFile(reply, `gatehouse-person-${id.slice(-8)}`, await exportPerson(deps, scope, id, actor)),
  );
  register(app, deps, people.erase, ({ scope, params: { person_id: id }, body, actor }) =>
    erasePersonInConsole(deps, scope, id, body, actor),
  );
}

/** The company's test data, for admins. */
export function testDataRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, testData.clock, ({ scope: { companyId } }) => showTestClock(deps.db, companyId));
  register(app, deps, testData.advance, ({ scope: { companyId }, body, actor }) =>
    advanceTestClock(deps, companyId, { seconds: body.advance_seconds, actor }),
  );
  register(app, deps, testData.clear, async ({ scope: { companyId }, body: { reason }, actor }) => {
    await clearTestData(deps.db, deps.clock, { companyId, before: null, reason, actor });
    return { ok: true } as const;
  });
}

/** Records of erasures, for admins. */
export function erasureRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  const { db } = deps;
  register(app, deps, erasures.list, ({ scope, query }) => listProofs(db, scope, query));
  register(app, deps, erasures.read, ({ scope, params: { proof_id: id } }) =>
    readErasureProof(db, scope, id),
  );
  register(app, deps, erasures.file, async ({ scope, params: { proof_id: id }, reply }) =>
    sendFile(reply, `gatehouse-erasure-${id.slice(-8)}`, await readErasureProof(db, scope, id)),
  );
}

/** IDs of existing records, so that the file name contains nothing that a caller chose. */
function sendFile(reply: FastifyReply, name: string, content: unknown): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.json"`)
    .send(JSON.stringify(content, null, 2));
}

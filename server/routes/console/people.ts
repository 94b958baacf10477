import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { PageQuery } from '../../contract/console/common.ts';
import {
  ErasurePage,
  ErasureProof,
  ErasureQuery,
  HistoryPage,
  MetadataKeys,
  PeoplePage,
  PeopleQuery,
  PersonErase,
  PersonProfile,
} from '../../contract/console/people.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { listKeysOfMetadata, listPersonItems } from '../../services/people/people.ts';
import { erasePersonInConsole, listProofs, readErasureProof } from '../../services/people/erase.ts';
import { exportPerson } from '../../services/people/export.ts';
import { readPersonHistory, readPersonProfile } from '../../services/people/profile.ts';
import { scopedRoute } from './route.ts';

/** People: reviewers find and read them, admins export and erase. */
export function peopleRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db } = deps;
  const params = { person_id: Type.String() };

  scopedRoute(app, deps, {
    method: 'GET',
    url: '/people',
    role: 'reviewer',
    summary: 'People, whoever was seen last first',
    query: PeopleQuery.properties,
    response: PeoplePage,
    handler: ({ scope, query }) => listPersonItems(db, scope, query),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/people/metadata-keys',
    role: 'reviewer',
    summary: 'Keys that metadata has',
    response: MetadataKeys,
    handler: ({ scope }) => listKeysOfMetadata(db, scope),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/people/:person_id',
    role: 'reviewer',
    summary: 'A person',
    params,
    response: PersonProfile,
    handler: ({ scope, params: { person_id: id } }) => readPersonProfile(deps, scope, id),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/people/:person_id/history',
    role: 'reviewer',
    summary: 'A person’s passes, newest first',
    params,
    query: PageQuery,
    response: HistoryPage,
    handler: ({ scope, params: { person_id: id }, query }) => readPersonHistory(db, scope, id, query),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/people/:person_id/export',
    role: 'admin',
    summary: 'All that is kept about a person, as a file',
    params,
    handler: async ({ scope, params: { person_id: id }, actor, reply }) =>
      sendFile(reply, `gatehouse-person-${id.slice(-8)}`, await exportPerson(deps, scope, id, actor)),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/people/:person_id/erase',
    role: 'admin',
    summary: 'Erase a person; the answer is the proof',
    params,
    body: PersonErase,
    response: ErasureProof,
    handler: async ({ scope, params: { person_id: id }, body, actor }) => {
      const proof = await erasePersonInConsole(deps, scope, id, body, actor);
      deps.live.publish('session', scope);
      return proof;
    },
  });
}

/** Proofs that somebody was erased, for admins. */
export function erasureRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db } = deps;
  const params = { proof_id: Type.String() };

  scopedRoute(app, deps, {
    method: 'GET',
    url: '/erasures',
    role: 'admin',
    summary: 'Proofs of erasure, newest first',
    query: ErasureQuery.properties,
    response: ErasurePage,
    handler: ({ scope, query }) => listProofs(db, scope, query),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/erasures/:proof_id',
    role: 'admin',
    summary: 'A proof of erasure',
    params,
    response: ErasureProof,
    handler: ({ scope, params: { proof_id: id } }) => readErasureProof(db, scope, id),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/erasures/:proof_id/file',
    role: 'admin',
    summary: 'A proof of erasure, as a file',
    params,
    handler: async ({ scope, params: { proof_id: id }, reply }) =>
      sendFile(reply, `gatehouse-erasure-${id.slice(-8)}`, await readErasureProof(db, scope, id)),
  });
}

/** Ids of records found by now, so that the name holds nothing that a caller chose. */
function sendFile(reply: FastifyReply, name: string, content: unknown): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.json"`)
    .send(JSON.stringify(content, null, 2));
}

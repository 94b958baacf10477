import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  MyAction,
  MyCodeRequest,
  MyCodeResponse,
  MyConnections,
  MyOpenRequest,
  MyOpenResponse,
} from '../../contract/my.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import {
  disconnect,
  eraseMe,
  listOwnConnections,
  openOwnPage,
  requestOwnCode,
} from '../../services/runs/my-verifications.ts';
import { replyWithError } from '../http-errors.ts';
import { acceptJsonBodies } from '../json-bodies.ts';
import { refuseDuringMaintenance } from '../maintenance.ts';
import { neverStore } from '../never-store.ts';

const MAX_BODY_BYTES = 4 * 1024;

/** "My verifications": the token of a proven number travels in `X-My-Token`. */
export async function myRoutes(scope: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  app.setErrorHandler(replyWithError);
  acceptJsonBodies(app);
  refuseDuringMaintenance(app, deps.maintenance);
  app.addHook('onRequest', neverStore);
  const bodyLimit = MAX_BODY_BYTES;
  const response = { 200: MyConnections };

  app.post(
    '/flow/my/code',
    { bodyLimit, schema: { body: MyCodeRequest, response: { 200: MyCodeResponse } } },
    (request) => requestOwnCode(deps, request.body, request.ip),
  );
  app.post(
    '/flow/my/open',
    { bodyLimit, schema: { body: MyOpenRequest, response: { 200: MyOpenResponse } } },
    (request) => openOwnPage(deps, request.body),
  );
  app.get('/flow/my', { schema: { response } }, async (request) => ({
    connections: await listOwnConnections(deps, myTokenOf(request)),
  }));
  app.post('/flow/my/disconnect', { bodyLimit, schema: { body: MyAction, response } }, async (request) => ({
    connections: await disconnect(deps, myTokenOf(request), request.body),
  }));
  app.post('/flow/my/erase', { bodyLimit, schema: { body: MyAction, response } }, async (request) => ({
    connections: await eraseMe(deps, myTokenOf(request), request.body),
  }));
}

function myTokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const header = headers['x-my-token'];
  return typeof header === 'string' && header !== '' ? header : null;
}

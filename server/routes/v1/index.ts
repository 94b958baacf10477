import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import { V1_OPERATIONS } from '../../contract/v1-operations.ts';
import { GetStatusRequest, GetStatusResponse, RegisterRequest, RegisterResponse } from '../../contract/v1.ts';
import { userStatus } from '../../services/v1-v2/get-status.ts';
import { registerUser } from '../../services/v1-v2/register.ts';
import type { ServiceDeps } from '../deps.ts';
import {
  connectCallerOf,
  MAX_BODY_BYTES,
  prepareConnect,
  refuseUnknownPaths,
  repeatableConnect,
  requireApiKey,
} from '../v1-v2/index.ts';
import { webhookRoutes } from './webhooks.ts';
import { documented } from '../register.ts';

/** The v1 interface, below `/v1`. Each route: authenticate, check the schema, call one service, reply. */
export async function v1Routes(scope: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  prepareConnect(app, deps);
  refuseUnknownPaths(app);

  app.post(
    '/business_connect_user/register',
    {
      ...documented(V1_OPERATIONS.registerUser, RegisterResponse, { body: RegisterRequest }),
      bodyLimit: MAX_BODY_BYTES,
      onRequest: requireApiKey(deps),
      preValidation: oneDataRequestIsAList,
    },
    (request, reply) =>
      repeatableConnect(deps, request, reply, (keep) =>
        registerUser(deps, connectCallerOf(request), request.body, keep),
      ),
  );

  app.post(
    '/business_connect_user/get_status',
    {
      ...documented(V1_OPERATIONS.readUserStatus, GetStatusResponse, { body: GetStatusRequest }),
      bodyLimit: MAX_BODY_BYTES,
      onRequest: requireApiKey(deps),
    },
    (request) => userStatus(deps, connectCallerOf(request), request.body),
  );

  webhookRoutes(app, deps);
}

/** Decisions §4.7: `data_request` may be one object. */
const oneDataRequestIsAList: preValidationHookHandler = (request, _reply, done) => {
  const body: unknown = request.body;
  if (typeof body === 'object' && body !== null && 'data_request' in body) {
    const { data_request: given } = body;
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) body.data_request = [given];
  }
  done();
};

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  Confirmation,
  InitializeRequest,
  InitializeResponse,
  KeyTestResponse,
  LookupRequest,
  TestTokenRequest,
  TestTokenResponse,
  TokenParams,
  VerificationList,
  VerificationListQuery,
  VerificationLookupRequest,
  VerificationLookupResponse,
} from '../../contract/v3.ts';
import { V3_OPERATIONS } from '../../contract/v3-operations.ts';
import { lookUpByIdentity, readConfirmation } from '../../services/passes/confirmations.ts';
import type { ServiceDeps } from '../deps.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { initialize, isPublic } from '../../services/runs/initialize.ts';
import { authenticateV3, type Caller, testKey } from '../../services/keys/keys.ts';
import { noteRefusedKey } from '../../services/keys/refusals.ts';
import { replyWithError } from '../../refusals/api.ts';
import { keepUnknownPaths, refuseDuringMaintenance } from '../maintenance.ts';
import { allowAnyOrigin, bearerOf, neverStore } from '../headers.ts';
import { lockConfirmation } from '../../services/passes/lock.ts';
import type { Limited } from '../../services/rate-limits/rate-limits.ts';
import { refuseCrowd, sessionsFrom } from '../../services/rate-limits/sessions.ts';
import { settleTestPass } from '../../services/passes/test-token.ts';
import { listCompanyVerifications, lookUpVerification } from '../../services/companies/verifications.ts';
import { v3CodeRoutes } from './codes.ts';
import { testClockRoutes } from './test-clock.ts';
import { v3WebhookRoutes } from './webhooks.ts';
import { repeatable } from '../idempotency.ts';
import { documented } from '../register.ts';
import { acceptJsonBodies, ignoreBodies, withoutBodyIsEmpty } from '../json-bodies.ts';

/** All fields at their limits take about 1 MiB if every character is escaped (12 bytes for one of four). */
const MAX_BODY_BYTES = 1_280 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** What the sessions of its address count against, if it counts. */
    sessions: Limited | null;
  }
}

/** The v3 interface. Each route: authenticate, check the schema, call one service, reply. */
export async function v3Routes(scope: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  app.decorateRequest('caller', null);
  app.decorateRequest('sessions', null);
  app.setErrorHandler(replyWithError);
  acceptJsonBodies(app);
  // Before maintenance, so that a browser can read that reply, too.
  allowAnyOrigin(app, ['/v3/initialize', '/v3/keys/test']);
  refuseDuringMaintenance(app, deps.maintenance);
  app.addHook('onRequest', neverStore);
  await keepUnknownPaths(app, '/v3');

  const authenticate = (secretOnly: boolean) => async (request: FastifyRequest) => {
    const bearer = bearerOf(request);
    try {
      request.caller = await authenticateV3(deps.db, bearer, { secretOnly, nowMs: deps.clock.now() });
    } catch (error) {
      const isRefusedKey = error instanceof Refusal && error.code === 'invalid_or_revoked_key';
      if (isRefusedKey && bearer !== null) await noteRefusedKey(deps, bearer, request.ip);
      throw error;
    }
    deps.reads.keyUsed(request.caller.keyId);
  };

  /** Before the body is read (decisions §1.3); successful calls are counted with the session. */
  const countSessions = async (request: FastifyRequest) => {
    if (!isPublic(callerOf(request))) return;
    request.sessions = await sessionsFrom(deps.db, request.ip);
    await refuseCrowd(deps.db, request.sessions, deps.clock.now());
  };

  const onRequest = authenticate(true);

  app.post(
    '/v3/initialize',
    {
      ...documented(V3_OPERATIONS.initialize, InitializeResponse, { body: InitializeRequest }),
      bodyLimit: MAX_BODY_BYTES,
      onRequest: [authenticate(false), countSessions],
    },
    (request, reply) =>
      repeatable(deps, { request, reply, caller: callerOf(request) }, (keep) =>
        initialize(deps, callerOf(request), request.body, request.sessions, keep),
      ),
  );

  app.get(
    '/v3/confirmations/:token',
    { ...documented(V3_OPERATIONS.readConfirmation, Confirmation, { params: TokenParams }), onRequest },
    (request) => readConfirmation(deps, callerOf(request), request.params.token),
  );

  app.post(
    '/v3/confirmations/:token/lock',
    { ...documented(V3_OPERATIONS.lockConfirmation, Confirmation, { params: TokenParams }), onRequest },
    (request, reply) =>
      repeatable(deps, { request, reply, caller: callerOf(request) }, (keep) =>
        lockConfirmation(deps, callerOf(request), request.params.token, keep),
      ),
  );

  app.post(
    '/v3/confirmations',
    { ...documented(V3_OPERATIONS.lookUpByIdentity, Confirmation, { body: LookupRequest }), onRequest },
    (request) => lookUpByIdentity(deps, callerOf(request), request.body),
  );

  app.post(
    '/v3/test/confirmation-token',
    {
      ...documented(V3_OPERATIONS.settleTestPass, TestTokenResponse, { body: TestTokenRequest }),
      onRequest: authenticate(false),
    },
    (request, reply) =>
      repeatable(deps, { request, reply, caller: callerOf(request) }, (keep) =>
        settleTestPass(deps, callerOf(request), request.body, keep),
      ),
  );

  app.post(
    '/v3/verifications/lookup',
    {
      ...documented(V3_OPERATIONS.lookUpVerification, VerificationLookupResponse, {
        body: VerificationLookupRequest,
      }),
      onRequest,
      preValidation: withoutBodyIsEmpty,
    },
    (request) => lookUpVerification(deps, callerOf(request).scope.companyId, request.body),
  );

  app.get(
    '/v3/verifications',
    {
      ...documented(V3_OPERATIONS.listVerifications, VerificationList, {
        querystring: VerificationListQuery,
      }),
      onRequest,
    },
    (request) => listCompanyVerifications(deps.db, callerOf(request).scope.companyId, request.query),
  );

  v3CodeRoutes(app, deps, { onRequest, callerOf });
  testClockRoutes(app, deps, { onRequest, callerOf });
  v3WebhookRoutes(app, deps, { onRequest, callerOf });

  // Contract, confirmation rule 7: it always answers 200, whatever the body.
  await app.register(async (keyTest) => {
    ignoreBodies(keyTest);
    keyTest.post(
      '/v3/keys/test',
      {
        config: { operation: V3_OPERATIONS.testKey, anyBody: true },
        schema: { response: { 200: KeyTestResponse } },
      },
      async (request) => {
        const bearer = bearerOf(request);
        const tested = await testKey(deps.db, bearer, deps.clock.now());
        if (bearer !== null && !tested.valid && tested.key_type !== 'unknown')
          await noteRefusedKey(deps, bearer, request.ip);
        return tested;
      },
    );
  });
}

function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Refusal('authentication_required');
  return request.caller;
}

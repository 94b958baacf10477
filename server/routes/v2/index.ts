import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Operation } from '../../contract/operations.ts';
import { V2_OPERATIONS } from '../../contract/v2-operations.ts';
import {
  CreateRequest,
  CreateResponse,
  SandboxCodeRequest,
  SandboxCodeResponse,
  SandboxPhoneRequest,
  SandboxPhoneResponse,
  StatusRequest,
  StatusResponse,
} from '../../contract/v2.ts';
import { findConnectCaller, refuseKey } from '../../services/v1-v2/authenticate.ts';
import { createVerification } from '../../services/v1-v2/create.ts';
import { Refusal } from '../../refusals/refusal.ts';
import {
  PUBLIC_SANDBOX,
  requireDemo,
  sandboxPhoneNumber,
  sandboxVerificationCode,
} from '../../services/v1-v2/sandbox.ts';
import { verificationStatus } from '../../services/v1-v2/status.ts';
import { placeOf } from '../../domain/address.ts';
import { countOrWait, limited } from '../../services/rate-limits/rate-limits.ts';
import { noteRefusedKey } from '../../services/keys/refusals.ts';
import type { ServiceDeps } from '../deps.ts';
import {
  apiKeyOf,
  connectCallerOf,
  MAX_BODY_BYTES,
  prepareConnect,
  refuseUnknownPaths,
  repeatableConnect,
} from '../v1-v2/index.ts';
import { withoutBodyIsEmpty } from '../json-bodies.ts';
import { documented } from '../register.ts';

/** Calls without a valid key, per address (contract, "Limits"). */
const UNAUTHENTICATED = { limit: 5, windowMs: 60_000 };
/** Limits the rows that calls from many addresses leave in the database. */
const ALTOGETHER = limited('v2-without-key-altogether', 'all', { limit: 300, windowMs: 60_000 });

/** The v2 interface, below `/v2`. Each route: authenticate, check the schema, call one service, reply. */
export async function v2Routes(scope: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  prepareConnect(app, deps);
  limitUnauthenticated(app, deps);
  refuseUnknownPaths(app);

  app.post(
    '/verification/create',
    { ...post(V2_OPERATIONS.createVerification, CreateRequest, CreateResponse), onRequest: needsKey },
    (request, reply) =>
      repeatableConnect(deps, request, reply, (keep) =>
        createVerification(deps, connectCallerOf(request), request.body, keep),
      ),
  );

  app.post(
    '/verification/status',
    { ...post(V2_OPERATIONS.readVerificationStatus, StatusRequest, StatusResponse), onRequest: needsKey },
    (request) => verificationStatus(deps, connectCallerOf(request), request.body),
  );

  app.post(
    '/sandbox/phone-number',
    {
      ...post(V2_OPERATIONS.makeSandboxPhoneNumber, SandboxPhoneRequest, SandboxPhoneResponse),
      onRequest: refuseBadKey,
    },
    (request) => {
      requireDemo(request.caller?.scope ?? PUBLIC_SANDBOX);
      return sandboxPhoneNumber(deps.randomInt, request.body);
    },
  );

  app.post(
    '/sandbox/verification-code',
    {
      ...post(V2_OPERATIONS.readSandboxCode, SandboxCodeRequest, SandboxCodeResponse),
      onRequest: refuseBadKey,
    },
    (request) => {
      requireDemo(request.caller?.scope ?? PUBLIC_SANDBOX);
      return sandboxVerificationCode(request.body);
    },
  );
}

/** What the options of all four calls share; who may call is each one's own. */
const post = <Body extends TSchema, Reply extends TSchema>(
  operation: Operation,
  body: Body,
  response: Reply,
) => ({
  ...documented(operation, response, { body }),
  bodyLimit: MAX_BODY_BYTES,
  preValidation: withoutBodyIsEmpty,
});

/**
 * Finds the caller of every call, and counts calls without a valid key, including unknown paths, against their address
 * and against all addresses together (decisions §4.6). Calls with a valid key are never affected by others at their
 * address.
 */
function limitUnauthenticated(
  app: FastifyInstance,
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'reads' | 'refusals'>,
): void {
  app.addHook('onRequest', async (request) => {
    const nowMs = deps.clock.now();
    const key = apiKeyOf(request);
    request.caller = await findConnectCaller(deps.db, key, nowMs);
    if (request.caller) {
      deps.reads.keyUsed(request.caller.keyId);
      return;
    }
    if (key !== null) await noteRefusedKey(deps, key, request.ip);
    const ofAddress = limited('v2-without-key', placeOf(request.ip), UNAUTHENTICATED);
    const waitMs = await countOrWait(deps.db, [ALTOGETHER, ofAddress], nowMs);
    if (waitMs === null) return;
    throw new Refusal('RATE_LIMITED', {
      message: 'Too many calls without a working API key: each address may make 5 a minute. Try again later.',
      retryAfterS: waitMs / 1_000,
    });
  });
}

const needsKey = async (request: FastifyRequest): Promise<void> => {
  connectCallerOf(request);
};

/** A sandbox call may have no key, but not a wrong one. */
const refuseBadKey = async (request: FastifyRequest): Promise<void> => {
  const key = apiKeyOf(request);
  if (key !== null && !request.caller) throw refuseKey(key);
};

/** Shared by the routes of v1 and v2: their bodies, their failures, their key. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findConnectCaller, refuseKey } from '../../services/connect/authenticate.ts';
import { noteRefusedKey } from '../../services/keys/refusals.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import { ServiceError } from '../../services/errors.ts';
import { ConnectFailure, type FailureCode } from '../../services/connect/failure.ts';
import type { KeepReply } from '../../services/keys/idempotency.ts';
import type { Caller } from '../../services/keys/keys.ts';
import { acceptJsonBodies } from '../json-bodies.ts';
import { refuseDuringMaintenance } from '../http-errors.ts';
import { neverStore } from '../headers.ts';
import { repeatable } from '../idempotency.ts';
import { replyWithFailure } from './failures.ts';

export const MAX_BODY_BYTES = 64 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Call it first in the plugin of a generation: it applies to every path below the plugin's prefix, known or not. */
export function prepareConnect(app: FastifyInstance, deps: Pick<ServiceDeps, 'maintenance'>): void {
  app.decorateRequest('caller', null);
  app.setErrorHandler(replyWithFailure);
  acceptJsonBodies(app);
  refuseDuringMaintenance(app, deps.maintenance);
  app.addHook('onRequest', neverStore);
}

/** Call it after the generation's hooks, which then also apply to unknown paths and methods. */
export function refuseUnknownPaths(app: FastifyInstance): void {
  // `refuseUnknownCalls` answers before it, in the shape of this generation.
  app.setNotFoundHandler((request, reply) => replyWithFailure(new Error('no route'), request, reply));
}

/** The `API-KEY` header of a request; null if there is none. */
export function apiKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const value = headers['api-key'];
  const key = (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
  return key === '' ? null : key;
}

/** An `onRequest` hook for calls that require a key; it stores the caller on the request. */
export const requireApiKey =
  (deps: Pick<ServiceDeps, 'db' | 'clock' | 'reads' | 'refusals'>) => async (request: FastifyRequest) => {
    const key = apiKeyOf(request);
    request.caller = await findConnectCaller(deps.db, key, deps.clock.now());
    if (!request.caller) {
      if (key !== null) await noteRefusedKey(deps, key, request.ip);
      throw refuseKey(key);
    }
    deps.reads.keyUsed(request.caller.keyId);
  };

/**
 * The caller that a hook has found.
 * @throws ConnectFailure `INVALID_API_KEY` if there is none
 */
export function connectCallerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw refuseKey(apiKeyOf(request));
  return request.caller;
}

/** Refusals of an `Idempotency-Key`, as v1 and v2 say them. */
const KEY_FAILURES: ReadonlyMap<string, readonly [FailureCode, string]> = new Map([
  [
    'invalid_idempotency_key',
    ['INVALID_REQUEST', 'Idempotency-Key: send 1 to 255 visible ASCII characters, with or without quotes.'],
  ],
  [
    'idempotency_key_reused',
    ['IDEMPOTENCY_KEY_REUSED', 'Idempotency-Key: it was sent before with another body. Use a new key.'],
  ],
  [
    'idempotency_key_in_use',
    ['IDEMPOTENCY_KEY_IN_USE', 'Idempotency-Key: the first call with it is still running. Try again.'],
  ],
]);

/** `repeatable`, with the failures of v1 and v2. */
export async function repeatableConnect<T>(
  deps: Pick<ServiceDeps, 'db' | 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (keep: KeepReply<T> | null) => Promise<T>,
): Promise<T> {
  try {
    return await repeatable(deps, { request, reply, caller: connectCallerOf(request) }, work);
  } catch (error) {
    const failure = error instanceof ServiceError ? KEY_FAILURES.get(error.code) : undefined;
    throw failure ? new ConnectFailure(...failure) : error;
  }
}

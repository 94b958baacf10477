/** Shared by the routes of v1 and v2: their bodies, their failures, their key. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findConnectCaller, refuseKey } from '../../services/v1-v2/authenticate.ts';
import { noteRefusedKey } from '../../services/keys/refusals.ts';
import type { ServiceDeps } from '../deps.ts';
import type { KeepReply } from '../../services/keys/idempotency.ts';
import type { Caller } from '../../services/keys/keys.ts';
import { acceptJsonBodies } from '../json-bodies.ts';
import { refuseDuringMaintenance } from '../maintenance.ts';
import { neverStore } from '../headers.ts';
import { repeatable } from '../idempotency.ts';
import { replyWithFailure } from '../../refusals/connect.ts';

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
 * @throws Refusal `INVALID_API_KEY` if there is none
 */
export function connectCallerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw refuseKey(apiKeyOf(request));
  return request.caller;
}

/** `repeatable`, for the caller of v1 or v2. */
export const repeatableConnect = <T>(
  deps: Pick<ServiceDeps, 'db' | 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (keep: KeepReply<T> | null) => Promise<T>,
): Promise<T> => repeatable(deps, { request, reply, caller: connectCallerOf(request) }, work);

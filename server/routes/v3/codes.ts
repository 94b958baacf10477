import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { TokenParams } from '../../contract/v3.ts';
import {
  CodeKeys,
  EventParams,
  HumanCodeReply,
  RedeemedCode,
  RedeemRequest,
  V3_CODE_OPERATIONS,
} from '../../contract/v3-codes.ts';
import type { Caller } from '../../services/keys/keys.ts';
import { makeCode, readCodeKeys, redeemCode } from '../../services/tickets/human-codes.ts';
import type { ServiceDeps } from '../deps.ts';
import { repeatable } from '../idempotency.ts';
import { documented } from '../register.ts';

type Guard = { onRequest: onRequestAsyncHookHandler; callerOf: (request: FastifyRequest) => Caller };

/** Humans-only codes, for secret keys. A code is never part of an address: those end up in logs. */
export function v3CodeRoutes(
  scope: FastifyInstance,
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'tokens'>,
  { onRequest, callerOf }: Guard,
): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  app.post(
    '/v3/confirmations/:token/code',
    { ...documented(V3_CODE_OPERATIONS.makeCode, HumanCodeReply, { params: TokenParams }), onRequest },
    (request) => makeCode(deps, callerOf(request), request.params.token),
  );
  app.post(
    '/v3/codes/redeem',
    { ...documented(V3_CODE_OPERATIONS.redeemCode, RedeemedCode, { body: RedeemRequest }), onRequest },
    (request, reply) =>
      repeatable(deps, { request, reply, caller: callerOf(request) }, (keep) =>
        redeemCode(deps, callerOf(request), request.body.code, keep),
      ),
  );
  app.get(
    '/v3/events/:event_id/code-keys',
    { ...documented(V3_CODE_OPERATIONS.listCodeKeys, CodeKeys, { params: EventParams }), onRequest },
    (request) => readCodeKeys(deps, callerOf(request).scope, request.params.event_id),
  );
}

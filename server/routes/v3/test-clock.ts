import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { TestClock, TestClockRequest } from '../../contract/v3.ts';
import { V3_OPERATIONS } from '../../contract/v3-operations.ts';
import { keyActor } from '../../domain/operators/actor.ts';
import type { Caller } from '../../services/keys/keys.ts';
import { advanceTestClock, companyOfTestKey, showTestClock } from '../../services/people/test-clock.ts';
import { clearTestData } from '../../services/people/test-data.ts';
import type { ServiceDeps } from '../deps.ts';
import { repeatable } from '../idempotency.ts';

type Guard = { onRequest: onRequestAsyncHookHandler; callerOf: (request: FastifyRequest) => Caller };

/** The clock of the test data, for secret test keys. */
export function testClockRoutes(
  scope: FastifyInstance,
  deps: Pick<ServiceDeps, 'db' | 'clock'>,
  { onRequest, callerOf }: Guard,
): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const url = '/v3/test/clock';
  const schema = { response: { 200: TestClock } };
  app.get(url, { config: { operation: V3_OPERATIONS.readTestClock }, onRequest, schema }, (request) =>
    showTestClock(deps.db, companyOfTestKey(callerOf(request))),
  );
  app.post(
    url,
    {
      config: { operation: V3_OPERATIONS.advanceTestClock },
      onRequest,
      schema: { ...schema, body: TestClockRequest },
    },
    (request, reply) => {
      const caller = callerOf(request);
      const companyId = companyOfTestKey(caller);
      const change = { seconds: request.body.advance_seconds, actor: keyActor(caller.keyId) };
      return repeatable(deps, { request, reply, caller }, (keep) =>
        advanceTestClock(deps, companyId, change, keep),
      );
    },
  );
  app.delete(
    url,
    { config: { operation: V3_OPERATIONS.resetTestClock }, onRequest, schema },
    async (request) => {
      const caller = callerOf(request);
      const companyId = companyOfTestKey(caller);
      await clearTestData(deps.db, deps.clock, { companyId, before: null, actor: keyActor(caller.keyId) });
      return showTestClock(deps.db, companyId);
    },
  );
}

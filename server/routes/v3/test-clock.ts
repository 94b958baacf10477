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
import { documented } from '../register.ts';

type Guard = { onRequest: onRequestAsyncHookHandler; callerOf: (request: FastifyRequest) => Caller };

/** The clock of the test data, for secret test keys. */
export function testClockRoutes(
  scope: FastifyInstance,
  deps: Pick<ServiceDeps, 'db' | 'clock'>,
  { onRequest, callerOf }: Guard,
): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const url = '/v3/test/clock';
  app.get(url, { ...documented(V3_OPERATIONS.readTestClock, TestClock), onRequest }, (request) =>
    showTestClock(deps.db, companyOfTestKey(callerOf(request))),
  );
  app.post(
    url,
    { ...documented(V3_OPERATIONS.advanceTestClock, TestClock, { body: TestClockRequest }), onRequest },
    (request, reply) => {
      const caller = callerOf(request);
      const companyId = companyOfTestKey(caller);
      const change = { seconds: request.body.advance_seconds, actor: keyActor(caller.keyId) };
      return repeatable(deps, { request, reply, caller }, (keep) =>
        advanceTestClock(deps, companyId, change, keep),
      );
    },
  );
  app.delete(url, { ...documented(V3_OPERATIONS.resetTestClock, TestClock), onRequest }, async (request) => {
    const caller = callerOf(request);
    const companyId = companyOfTestKey(caller);
    await clearTestData(deps.db, deps.clock, { companyId, before: null, actor: keyActor(caller.keyId) });
    return showTestClock(deps.db, companyId);
  });
}

/** What calls get during maintenance (decisions §1.3). */
import type { FastifyInstance } from 'fastify';
import { replyWithError } from '../refusals/api.ts';
import type { MaintenanceGate } from '../services/maintenance/maintenance.ts';

const CODE = 'SERVICE_TEMPORARILY_UNAVAILABLE';

/** Refuses every call during maintenance, with a body in which clients of each generation find their field. */
export function refuseDuringMaintenance(app: FastifyInstance, gate: MaintenanceGate): void {
  app.addHook('onRequest', (request, reply, done) => {
    const retryAfterS = gate.retryAfterS();
    // A browser shows its page a refusal only if the preflight of the call has succeeded.
    const isPreflight = request.method === 'OPTIONS' && !request.is404;
    if (retryAfterS === null || isPreflight) {
      done();
      return;
    }
    void reply.code(503).header('retry-after', String(retryAfterS)).header('cache-control', 'no-store').send({
      detail: CODE,
      status: 'failure',
      failure_code: CODE,
      failure_reason: 'The service is down for scheduled maintenance. Try again later.',
    });
  });
}

/** Whether a path exists is said after maintenance only: unknown ones get the hooks of `app`, too. */
export async function keepUnknownPaths(app: FastifyInstance, prefix: string): Promise<void> {
  await app.register(
    async (below) => {
      // `refuseUnknownCalls` answers before it.
      below.setNotFoundHandler((request, reply) => replyWithError(new Error('no route'), request, reply));
    },
    { prefix },
  );
}

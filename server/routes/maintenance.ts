import type { FastifyInstance } from 'fastify';
import type { MaintenanceGate } from '../services/maintenance/maintenance.ts';

const CODE = 'SERVICE_TEMPORARILY_UNAVAILABLE';

/** Refuses every call during maintenance, with a body in which clients of each generation find their field. */
export function refuseDuringMaintenance(app: FastifyInstance, gate: MaintenanceGate): void {
  app.addHook('onRequest', (_request, reply, done) => {
    const retryAfterS = gate.retryAfterS();
    if (retryAfterS === null) {
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

import type { FastifyInstance } from 'fastify';
import type { ServiceDeps } from '../services/deps.ts';

/** For service managers: `/healthz` tells that the process lives, `/readyz` that it can judge a run. */
export function healthRoutes(app: FastifyInstance, { db, faces }: Pick<ServiceDeps, 'db' | 'faces'>): void {
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    await db.one('SELECT 1 AS ready');
    const ready = faces.stats().workers > 0;
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'face_engine_unavailable' });
  });
}

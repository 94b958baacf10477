import type { FastifyInstance } from 'fastify';
import type { FaceEngine } from '../face/engine.ts';
import type { ServiceDeps } from '../services/deps.ts';
import type { Database } from '../store/port.ts';

/** For service managers: `/healthz` tells that the process lives, `/readyz` that it can judge a run. */
export function healthRoutes(app: FastifyInstance, { db, faces }: Pick<ServiceDeps, 'db' | 'faces'>): void {
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    await db.one('SELECT 1 AS ready');
    const trouble = troubleOf(db, faces);
    return reply.code(trouble === null ? 200 : 503).send({ status: trouble ?? 'ready' });
  });
}

/** What the operator must mend first. */
function troubleOf(db: Database, faces: FaceEngine): string | null {
  if (db.isDamaged()) return 'storage_damaged';
  return faces.stats().workers > 0 ? null : 'face_engine_unavailable';
}

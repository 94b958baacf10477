import type { FastifyInstance } from 'fastify';
import type { ServiceDeps } from '../services/deps.ts';
import { isCleanUpPutOff } from '../services/people/clean-up.ts';

type HealthDeps = Pick<ServiceDeps, 'db' | 'faces' | 'node'>;

/** For service managers: `/healthz` says that the process is alive, `/readyz` that it can judge a run. */
export function healthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  const { db } = deps;
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    await db.one('SELECT 1 AS ready');
    const trouble = troubleOf(deps);
    const node = nodeOf(deps);
    const details = (await isCleanUpPutOff(db)) ? { details: ['retention_put_off'] } : {};
    return reply
      .code(trouble === null ? 200 : 503)
      .send({ status: trouble ?? 'ready', engine: db.engine, ...node, ...details });
  });
}

/** Which of several nodes answered. */
function nodeOf({ node }: HealthDeps) {
  const status = node.status();
  return status && { node: { id: status.id, role: status.role, index_lag: status.indexLag } };
}

/** The first problem that the operator has to fix. */
function troubleOf({ db, faces, node }: HealthDeps): string | null {
  const state = node.status()?.state ?? 'serving';
  if (state !== 'serving') return state;
  if (db.isDamaged()) return 'storage_damaged';
  if (db.refusesWrites()) return 'storage_not_writable';
  return faces.stats().workers > 0 ? null : 'face_engine_unavailable';
}

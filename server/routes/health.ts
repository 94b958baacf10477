import type { FastifyInstance } from 'fastify';
import type { ServiceDeps } from './deps.ts';
import { bounded } from '../services/health/facts.ts';

/** Load balancers often wait for two seconds. */
const READY_MAY_TAKE_MS = 1_500;

type HealthDeps = Pick<ServiceDeps, 'db' | 'health' | 'node'>;

/** For service managers: `/healthz` says that the process is alive, `/readyz` that it can judge a run. */
export function healthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  const { db } = deps;
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  /** One statement for all callers, so that their number costs nothing while the database does not answer. */
  const ask = bounded(() => db.one('SELECT 1 AS ready').catch(() => null), READY_MAY_TAKE_MS);

  app.get('/readyz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    const trouble = (await ask()) === null ? 'storage_unreachable' : troubleOf(deps);
    const details = detailsOf(deps, trouble);
    return reply.code(trouble === null ? 200 : 503).send({
      status: trouble ?? 'ready',
      engine: db.engine,
      ...nodeOf(deps),
      ...(details.length > 0 && { details }),
    });
  });
}

/** Which of several nodes answered. */
function nodeOf({ node }: HealthDeps) {
  const status = node.status();
  return status && { node: { id: status.id, role: status.role, index_lag: status.indexLag } };
}

/** The first problem that the operator has to fix. */
function troubleOf({ health, node }: HealthDeps): string | null {
  const own = node.status();
  if (own !== null && own.state !== 'serving') return own.state;
  return health.notReady() ?? (own?.commits === false ? 'storage_not_writable' : null);
}

/** Codes alone, because strangers can ask, too. Notices are about the installation, not its service. */
function detailsOf({ health }: HealthDeps, trouble: string | null): string[] {
  return health
    .state()
    .conditions.filter(({ code, severity }) => severity !== 'notice' && code !== trouble)
    .map(({ code }) => code);
}

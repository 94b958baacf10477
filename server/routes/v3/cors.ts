import type { FastifyInstance } from 'fastify';

const PREFLIGHT_MAX_AGE_S = 600;

/** Lets browsers on any page call these paths, without credentials (decisions §3.16). */
export function allowAnyOrigin(app: FastifyInstance, paths: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (paths.includes(request.routeOptions.url ?? '')) void reply.header('access-control-allow-origin', '*');
    done();
  });
  for (const path of paths) {
    app.options(path, (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'authorization, content-type')
        .header('access-control-max-age', String(PREFLIGHT_MAX_AGE_S))
        .send(),
    );
  }
}

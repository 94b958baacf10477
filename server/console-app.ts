/** The console's own listener: loopback unless opened on purpose, so that no public page can act as it. */
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createFastify } from './app.ts';
import { consoleHome } from './routes/console/home.ts';
import { metricsRoutes } from './routes/console/metrics.ts';
import { healthRoutes } from './routes/health.ts';
import type { ServiceDeps } from './services/deps.ts';

export async function createConsoleApp({
  deps,
  logger,
}: {
  deps: ServiceDeps;
  logger: Logger;
}): Promise<FastifyInstance> {
  const app = createFastify(logger, 0);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'style-src': ["'self'"], 'frame-ancestors': ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: false,
  });
  healthRoutes(app, deps);
  metricsRoutes(app, deps);
  consoleHome(app, deps);
  return app;
}

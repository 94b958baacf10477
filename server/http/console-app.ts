/** The console’s own listener: loopback unless opened explicitly, so that no public page can act as it. */
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createFastify } from './public-app.ts';
import { replyWithConsoleError } from '../refusals/console.ts';
import { consoleApi } from '../routes/console/index.ts';
import { metricsRoutes } from '../routes/console/metrics.ts';
import { refuseForeignHosts } from '../routes/console/origin.ts';
import { consolePages } from '../routes/console/pages.ts';
import { healthRoutes } from '../routes/health.ts';
import { pageErrorRoutes } from '../routes/page-errors.ts';
import type { ConsoleDeps } from '../routes/deps.ts';

type ConsoleOptions = {
  deps: ConsoleDeps;
  logger: Logger;
  pagesDir: string;
  /** Address that it listens on. */
  consoleHost: string;
  /** Additional host names. */
  consoleNames: readonly string[];
};

export async function createConsoleApp(options: ConsoleOptions): Promise<FastifyInstance> {
  const { deps, logger, pagesDir, consoleHost, consoleNames } = options;
  const app = createFastify(logger, 0, replyWithConsoleError);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'style-src': ["'self'"], 'frame-ancestors': ["'none'"] },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: false,
  });
  refuseForeignHosts(app, { host: consoleHost, names: consoleNames });
  healthRoutes(app, deps);
  await metricsRoutes(app, deps);
  await app.register(pageErrorRoutes, { deps });
  await app.register(consoleApi, { deps });
  await consolePages(app, { pagesDir });
  return app;
}

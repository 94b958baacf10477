import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { sendMetrics } from './metrics.ts';
import { consoleRoute } from './route.ts';

/** `/metrics` for a browser: over plain HTTP the session's cookie is sent below `/console/api` alone. */
export function metricsApiRoute(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'GET',
    url: '/metrics',
    role: 'admin',
    summary: 'Metrics as Prometheus text',
    background: true,
    handler: async ({ reply }) => sendMetrics(deps, reply),
  });
}

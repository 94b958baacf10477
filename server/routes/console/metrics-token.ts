import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../../services/deps.ts';
import { sendMetrics } from './metrics.ts';
import { system } from '../../contract/routes/console/system.ts';
import { register } from './register.ts';

/** `/metrics` for a browser: over plain HTTP the session's cookie is sent only below `/console/api`. */
export function metricsApiRoute(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'faces' | 'events' | 'node'>,
): void {
  register(app, deps, system.metrics, async ({ reply }) => sendMetrics(deps, reply));
}

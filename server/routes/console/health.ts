import type { FastifyInstance } from 'fastify';
import { health } from '../../contract/routes/console/health.ts';
import type { ConsoleDeps } from '../deps.ts';
import { register } from './register.ts';

/** Everyone sees the problems of the service; the console tells admins what to do. */
export function healthStateRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'health'>,
): void {
  register(app, deps, health.read, () => deps.health.state());
}

import type { FastifyInstance } from 'fastify';
import { confirmPutOff, readCleanUp, readCleanUpState } from '../../services/people/manage-clean-up.ts';
import type { ConsoleDeps } from '../../services/deps.ts';
import { cleanUp } from '../../contract/routes/console/clean-up.ts';
import { register } from './register.ts';

/** Everyone sees that clean-up is on hold; admins see what it would remove and confirm it. */
export function cleanUpRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'deletions'>,
): void {
  register(app, deps, cleanUp.state, () => readCleanUpState(deps));
  register(app, deps, cleanUp.read, () => readCleanUp(deps));
  register(app, deps, cleanUp.confirm, ({ body, actor }) => confirmPutOff(deps, body.hold_id, actor));
}

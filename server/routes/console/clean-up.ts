import type { FastifyInstance } from 'fastify';
import { CleanUpConfirm, CleanUpSettings, CleanUpState } from '../../contract/console/clean-up.ts';
import { confirmPutOff, readCleanUp, readCleanUpState } from '../../services/people/manage-clean-up.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { consoleRoute } from './route.ts';

/** Everybody sees that clean-up is put off; admins see what it would remove and confirm it. */
export function cleanUpRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'GET',
    url: '/clean-up',
    role: 'staff',
    summary: 'Whether automatic clean-up is put off',
    response: CleanUpState,
    background: true,
    handler: () => readCleanUpState(deps),
  });
  consoleRoute(app, {
    method: 'GET',
    url: '/settings/clean-up',
    role: 'admin',
    summary: 'The clean-up that is put off, and what it would remove',
    response: CleanUpSettings,
    handler: () => readCleanUp(deps),
  });
  consoleRoute(app, {
    method: 'POST',
    url: '/settings/clean-up/confirm',
    role: 'admin',
    summary: 'Confirm the time and let the clean-up run, after a backup',
    body: CleanUpConfirm,
    response: CleanUpSettings,
    handler: ({ body, actor }) => confirmPutOff(deps, body.hold_id, actor),
  });
}

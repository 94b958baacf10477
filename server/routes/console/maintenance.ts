import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import {
  cancelMaintenance,
  planMaintenance,
  readMaintenanceState,
  switchMaintenance,
} from '../../services/maintenance/plan.ts';
import { cleanUp, maintenance } from '../../contract/routes/console/maintenance.ts';
import { register } from './register.ts';
import { confirmPutOff, readCleanUp } from '../../services/people/manage-clean-up.ts';

/** Everyone sees maintenance; admins turn it on and plan it. */
export function maintenanceRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, maintenance.read, () => readMaintenanceState(deps));
  register(app, deps, maintenance.switch, async ({ body: { on, until }, actor }) => {
    await switchMaintenance(deps, { on, until: until ?? null }, actor);
    return readMaintenanceState(deps);
  });
  register(app, deps, maintenance.plan, async ({ body, actor }) => {
    await planMaintenance(deps, body, actor);
    return readMaintenanceState(deps);
  });
  register(app, deps, maintenance.cancel, async ({ params, actor }) => {
    await cancelMaintenance(deps, params.window_id, actor);
    return readMaintenanceState(deps);
  });
}

/** Admins see what a clean-up on hold would remove, and confirm it. */
export function cleanUpRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'deletions'>,
): void {
  register(app, deps, cleanUp.read, () => readCleanUp(deps));
  register(app, deps, cleanUp.confirm, ({ body, actor }) => confirmPutOff(deps, body.hold_id, actor));
}

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { MaintenancePlan, MaintenanceState, MaintenanceSwitch } from '../../contract/console/settings.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import {
  cancelMaintenance,
  planMaintenance,
  readMaintenanceState,
  switchMaintenance,
} from '../../services/maintenance/plan.ts';
import { consoleRoute } from './route.ts';

/** Everybody sees it; admins switch and plan it. */
export function maintenanceRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'GET',
    url: '/maintenance',
    ownOnly: true,
    role: 'staff',
    summary: 'Whether maintenance is on, and what is planned',
    response: MaintenanceState,
    handler: () => readMaintenanceState(deps),
  });
  consoleRoute(app, {
    method: 'PUT',
    url: '/maintenance/now',
    role: 'admin',
    summary: 'Switch maintenance on or off',
    body: MaintenanceSwitch,
    response: MaintenanceState,
    handler: async ({ body: { on, until }, actor }) => {
      await switchMaintenance(deps, { on, until: until ?? null }, actor);
      return readMaintenanceState(deps);
    },
  });
  consoleRoute(app, {
    method: 'POST',
    url: '/maintenance/windows',
    role: 'admin',
    summary: 'Plan maintenance',
    body: MaintenancePlan,
    response: MaintenanceState,
    handler: async ({ body, actor }) => {
      await planMaintenance(deps, body, actor);
      return readMaintenanceState(deps);
    },
  });
  consoleRoute(app, {
    method: 'DELETE',
    url: '/maintenance/windows/:window_id',
    role: 'admin',
    summary: 'Cancel planned maintenance, or end it',
    params: { window_id: Type.String({ maxLength: 64 }) },
    response: MaintenanceState,
    handler: async ({ params, actor }) => {
      await cancelMaintenance(deps, params.window_id, actor);
      return readMaintenanceState(deps);
    },
  });
}

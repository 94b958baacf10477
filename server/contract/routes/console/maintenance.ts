import { Type } from 'typebox';
import { MaintenancePlan, MaintenanceState, MaintenanceSwitch } from '../../console/settings.ts';
import type { ConsoleRoutes } from '../route.ts';

export const maintenance = {
  read: {
    method: 'GET',
    path: '/maintenance',
    role: 'staff',
    about: 'operator',
    summary: 'Read current and planned maintenance',
    reply: MaintenanceState,
  },
  switch: {
    method: 'PUT',
    path: '/maintenance/now',
    role: 'admin',
    about: 'installation',
    summary: 'Turn maintenance on or off',
    body: MaintenanceSwitch,
    reply: MaintenanceState,
  },
  plan: {
    method: 'POST',
    path: '/maintenance/windows',
    role: 'admin',
    about: 'installation',
    summary: 'Plan maintenance',
    body: MaintenancePlan,
    reply: MaintenanceState,
  },
  cancel: {
    method: 'DELETE',
    path: '/maintenance/windows/:window_id',
    role: 'admin',
    about: 'installation',
    summary: 'Cancel planned maintenance, or end it',
    params: { window_id: Type.String({ maxLength: 64 }) },
    reply: MaintenanceState,
  },
} as const satisfies ConsoleRoutes;

import { Type } from 'typebox';
import { MaintenancePlan, MaintenanceState, MaintenanceSwitch } from '../../console/settings.ts';
import type { ConsoleRoutes } from '../route.ts';
import { CleanUpConfirm, CleanUpSettings } from '../../console/clean-up.ts';

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

export const cleanUp = {
  read: {
    method: 'GET',
    path: '/settings/clean-up',
    role: 'admin',
    about: 'installation',
    summary: 'Read the clean-up on hold and what it would delete',
    reply: CleanUpSettings,
  },
  confirm: {
    method: 'POST',
    path: '/settings/clean-up/confirm',
    role: 'admin',
    about: 'installation',
    summary: 'Confirm the clock and run the clean-up, after a backup',
    body: CleanUpConfirm,
    reply: CleanUpSettings,
  },
} as const satisfies ConsoleRoutes;

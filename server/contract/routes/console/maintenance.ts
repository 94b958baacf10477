import { Type } from 'typebox';
import { MaintenancePlan, MaintenanceState, MaintenanceSwitch } from '../../console/settings.ts';
import { type ConsoleRoutes, OF_INSTALLATION, OF_OPERATOR } from '../route.ts';
import { CleanUpConfirm, CleanUpSettings } from '../../console/clean-up.ts';

export const maintenance = {
  read: {
    ...OF_OPERATOR,
    method: 'GET',
    path: '/maintenance',
    summary: 'Read current and planned maintenance',
    reply: MaintenanceState,
  },
  switch: {
    ...OF_INSTALLATION,
    method: 'PUT',
    path: '/maintenance/now',
    summary: 'Turn maintenance on or off',
    body: MaintenanceSwitch,
    reply: MaintenanceState,
  },
  plan: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/maintenance/windows',
    summary: 'Plan maintenance',
    body: MaintenancePlan,
    reply: MaintenanceState,
  },
  cancel: {
    ...OF_INSTALLATION,
    method: 'DELETE',
    path: '/maintenance/windows/:window_id',
    summary: 'Cancel planned maintenance, or end it',
    params: { window_id: Type.String({ maxLength: 64 }) },
    reply: MaintenanceState,
  },
} as const satisfies ConsoleRoutes;

export const cleanUp = {
  read: {
    ...OF_INSTALLATION,
    method: 'GET',
    path: '/settings/clean-up',
    summary: 'Read the clean-up on hold and what it would delete',
    reply: CleanUpSettings,
  },
  confirm: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/settings/clean-up/confirm',
    summary: 'Confirm the clock and run the clean-up, after a backup',
    body: CleanUpConfirm,
    reply: CleanUpSettings,
  },
} as const satisfies ConsoleRoutes;

import { CleanUpConfirm, CleanUpSettings, CleanUpState } from '../../console/clean-up.ts';
import type { ConsoleRoutes } from '../route.ts';

export const cleanUp = {
  state: {
    method: 'GET',
    path: '/clean-up',
    role: 'staff',
    about: 'installation',
    background: true,
    summary: 'Check whether clean-up is on hold',
    reply: CleanUpState,
  },
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

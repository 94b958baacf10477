import { CleanUpConfirm, CleanUpSettings, CleanUpState } from '../../console/clean-up.ts';
import type { ConsoleRoutes } from '../route.ts';

export const cleanUp = {
  state: {
    method: 'GET',
    path: '/clean-up',
    role: 'staff',
    about: 'installation',
    background: true,
    summary: 'Whether automatic clean-up is put off',
    reply: CleanUpState,
  },
  read: {
    method: 'GET',
    path: '/settings/clean-up',
    role: 'admin',
    about: 'installation',
    summary: 'The clean-up that is put off, and what it would remove',
    reply: CleanUpSettings,
  },
  confirm: {
    method: 'POST',
    path: '/settings/clean-up/confirm',
    role: 'admin',
    about: 'installation',
    summary: 'Confirm the time and let the clean-up run, after a backup',
    body: CleanUpConfirm,
    reply: CleanUpSettings,
  },
} as const satisfies ConsoleRoutes;

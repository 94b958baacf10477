import { HealthState } from '../../console/health.ts';
import type { ConsoleRoutes } from '../route.ts';

export const health = {
  read: {
    method: 'GET',
    path: '/health',
    role: 'staff',
    about: 'installation',
    background: true,
    summary: 'Read the problems of the service',
    reply: HealthState,
  },
} as const satisfies ConsoleRoutes;

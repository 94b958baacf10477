import {
  CapChange,
  CapChangePage,
  CapChangeQuery,
  UsageDays,
  UsageParts,
  UsagePartsQuery,
  UsageRange,
  UsageToday,
} from '../../console/usage.ts';
import { Done } from '../../console/common.ts';
import type { ConsoleRoutes } from '../route.ts';

export const usage = {
  today: {
    method: 'GET',
    path: '/usage/today',
    role: 'admin',
    summary: 'Today against the cap, with a forecast',
    reply: UsageToday,
  },
  days: {
    method: 'GET',
    path: '/usage/days',
    role: 'admin',
    summary: 'Usage by day, oldest first',
    query: UsageRange,
    reply: UsageDays,
  },
  parts: {
    method: 'GET',
    path: '/usage/parts',
    role: 'admin',
    summary: 'Usage by verification, group or outcome, most first',
    query: UsagePartsQuery,
    reply: UsageParts,
  },
  export: {
    method: 'GET',
    path: '/usage/export',
    role: 'admin',
    summary: 'Usage as CSV',
    query: UsageRange,
  },
  changeCap: {
    method: 'PUT',
    path: '/usage/cap',
    role: 'admin',
    summary: 'Set how many checks of a day may count; at once',
    body: CapChange,
    reply: Done,
  },
  capChanges: {
    method: 'GET',
    path: '/usage/cap/changes',
    role: 'admin',
    summary: 'Changes of the cap, newest first',
    query: CapChangeQuery,
    reply: CapChangePage,
  },
} as const satisfies ConsoleRoutes;

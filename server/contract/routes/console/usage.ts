import {
  CapChange,
  CapChanged,
  CapChangePage,
  CapChangeQuery,
  UsageDays,
  UsageParts,
  UsagePartsQuery,
  UsageRange,
  UsageToday,
} from '../../console/usage.ts';
import { FileLanguage } from '../../languages.ts';
import type { ConsoleRoutes } from '../route.ts';

export const usage = {
  today: {
    method: 'GET',
    path: '/usage/today',
    role: 'admin',
    summary: 'Read today’s usage against the cap, with a forecast',
    reply: UsageToday,
  },
  days: {
    method: 'GET',
    path: '/usage/days',
    role: 'admin',
    summary: 'List usage by day, oldest first',
    query: UsageRange,
    reply: UsageDays,
  },
  parts: {
    method: 'GET',
    path: '/usage/parts',
    role: 'admin',
    summary: 'List usage by verification, group or outcome, highest first',
    query: UsagePartsQuery,
    reply: UsageParts,
  },
  export: {
    method: 'GET',
    path: '/usage/export',
    role: 'admin',
    summary: 'Download usage as CSV',
    query: { ...UsageRange, ...FileLanguage },
  },
  changeCap: {
    method: 'PUT',
    path: '/usage/cap',
    role: 'admin',
    summary: 'Set the daily cap',
    body: CapChange,
    reply: CapChanged,
  },
  capChanges: {
    method: 'GET',
    path: '/usage/cap/changes',
    role: 'admin',
    summary: 'List changes of the daily cap, newest first',
    query: CapChangeQuery,
    reply: CapChangePage,
  },
} as const satisfies ConsoleRoutes;

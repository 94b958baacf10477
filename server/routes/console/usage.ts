import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Done } from '../../contract/console/common.ts';
import {
  CapChange,
  CapChangePage,
  CapChangeQuery,
  UsageDays,
  UsageParts,
  UsagePartsQuery,
  UsageRange,
  UsageToday,
} from '../../contract/console/usage.ts';
import { changeDailyLimit } from '../../services/companies/companies.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { readCapChanges, readDays, readParts, readToday, usageRange } from '../../services/usage/usage.ts';
import { exportUsage } from '../../services/usage/export.ts';
import { scopedRoute } from './route.ts';

const DONE: Done = { ok: true };

/** Usage and its cap, for admins. */
export function usageRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/usage/today',
    role: 'admin',
    summary: 'Today against the cap, with a forecast',
    response: UsageToday,
    handler: ({ scope, company }) => readToday(deps, scope, company.dailyLimit),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/usage/days',
    role: 'admin',
    summary: 'Usage by day, oldest first',
    query: UsageRange,
    response: UsageDays,
    handler: async ({ scope, query }) => ({
      items: await readDays(deps.db, scope, usageRange(deps, query)),
    }),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/usage/parts',
    role: 'admin',
    summary: 'Usage by verification, group or outcome, most first',
    query: UsagePartsQuery,
    response: UsageParts,
    handler: ({ scope, query: { by, ...range } }) => readParts(deps.db, scope, usageRange(deps, range), by),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/usage/export',
    role: 'admin',
    summary: 'Usage as CSV',
    query: UsageRange,
    handler: async ({ scope, query, actor, reply }) => {
      const range = usageRange(deps, query);
      const name = `gatehouse-usage-${scope.partition}-${range.from}-${range.to}.csv`;
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(exportUsage(deps, scope, range, actor)));
    },
  });
  scopedRoute(app, deps, {
    method: 'PUT',
    url: '/usage/cap',
    role: 'admin',
    summary: 'Set how many checks of a day may count; at once',
    body: CapChange,
    response: Done,
    handler: async ({ company, body, actor }) => {
      const { daily_limit: dailyLimit, reason } = body;
      await changeDailyLimit(deps.db, deps.clock, { companyId: company.id, dailyLimit, reason, actor });
      return DONE;
    },
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/usage/cap/changes',
    role: 'admin',
    summary: 'Changes of the cap, newest first',
    query: CapChangeQuery,
    response: CapChangePage,
    handler: ({ company, query }) => readCapChanges(deps.db, company.id, query),
  });
}

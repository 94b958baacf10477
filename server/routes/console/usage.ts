import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { changeDailyLimit } from '../../services/companies/companies.ts';
import type { ConsoleDeps } from '../deps.ts';
import { readCapChanges, readDays, readParts, readToday, usageRange } from '../../services/usage/usage.ts';
import { exportUsage } from '../../services/usage/export.ts';
import { usage } from '../../contract/routes/console/usage.ts';
import { register } from './register.ts';

/** Number of limit changes that the usage page shows at first. */
const SHOWN_CHANGES = 10;

/** Usage and its cap, for admins. */
export function usageRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, usage.today, ({ scope, company }) => readToday(deps, scope, company.dailyLimit));
  register(app, deps, usage.days, async ({ scope, query }) => ({
    items: await readDays(deps.db, scope, usageRange(deps, query)),
  }));
  register(app, deps, usage.parts, ({ scope, query: { by, ...range } }) =>
    readParts(deps.db, scope, usageRange(deps, range), by),
  );
  register(app, deps, usage.export, async ({ scope, query: { language = 'en', ...query }, actor, reply }) => {
    const range = usageRange(deps, query);
    const name = `gatehouse-usage-${scope.partition}-${range.from}-${range.to}.csv`;
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Readable.from(exportUsage(deps, scope, range, { actor, language })));
  });
  register(app, deps, usage.changeCap, async ({ scope, company, body, actor }) => {
    const { daily_limit: wanted, reason, version } = body;
    const request = { companyId: company.id, dailyLimit: wanted, reason, version, actor };
    const dailyLimit = await changeDailyLimit(deps.db, deps.clock, request);
    return {
      today: await readToday(deps, scope, dailyLimit),
      changes: await readCapChanges(deps.db, company.id, { limit: SHOWN_CHANGES }),
    };
  });
  register(app, deps, usage.capChanges, ({ company, query }) => readCapChanges(deps.db, company.id, query));
}

/** The console's API, below `/console/api`. To add a page's routes, call one more function at the end. */
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { CONSOLE_API } from '../../contract/console/common.ts';
import { find } from '../../contract/routes/console/find.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { findRecords } from '../../services/find/find.ts';
import { neverStore } from '../headers.ts';
import { accessRoutes } from './access.ts';
import { auditRoutes } from './audit.ts';
import { doorTeamRoutes } from './door-team.ts';
import { doorRoutes, eventRoutes, kioskConsoleRoutes } from './venue.ts';
import { controlRoutes } from './controls.ts';
import { demoRoutes } from './demo.ts';
import { refuseBrokenJson, reportEveryFinding } from '../json-bodies.ts';
import { replyWithConsoleError } from '../../refusals/console.ts';
import { guardRoutes } from './guard.ts';
import { keyRoutes } from './keys.ts';
import { changesRoute } from './changes.ts';
import { collectConsoleOpenApi, consoleOpenApiRoute } from './openapi.ts';
import { cleanUpRoutes, maintenanceRoutes } from './maintenance.ts';
import { healthStateRoutes } from './health.ts';
import { metricsApiRoute } from './metrics.ts';
import { operatorRoutes } from './operators.ts';
import { erasureRoutes, peopleRoutes, testDataRoutes } from './people.ts';
import { paperRoutes } from './papers.ts';
import { register } from './register.ts';
import { reviewRoutes } from './reviews.ts';
import { sessionRoutes } from './sessions.ts';
import { settingsRoutes } from './settings.ts';
import { ticketSourceRoutes } from './ticket-sources.ts';
import { usageRoutes } from './usage.ts';
import { verificationRoutes } from './verifications.ts';
import { webhookRoutes } from './webhooks.ts';

export async function consoleApi(root: FastifyInstance, { deps }: { deps: ConsoleDeps }): Promise<void> {
  await root.register(
    async (app) => {
      app.setErrorHandler(replyWithConsoleError);
      app.setNotFoundHandler(() => {
        throw new Refusal('not_found');
      });
      // Only JSON with the right content type: a form on another site cannot send that.
      app.removeContentTypeParser('text/plain');
      refuseBrokenJson(app);
      reportEveryFinding(app);
      app.addHook('onRequest', neverStore);
      await app.register(fastifyCookie);
      guardRoutes(app, deps);
      await collectConsoleOpenApi(app);
      accessRoutes(app, deps);
      operatorRoutes(app, deps);
      register(app, deps, find.records, ({ scope, query, signedIn }) =>
        findRecords(deps, scope, { q: query.q, role: signedIn.operator.role }),
      );
      sessionRoutes(app, deps);
      peopleRoutes(app, deps);
      erasureRoutes(app, deps);
      testDataRoutes(app, deps);
      auditRoutes(app, deps);
      reviewRoutes(app, deps);
      keyRoutes(app, deps);
      webhookRoutes(app, deps);
      usageRoutes(app, deps);
      verificationRoutes(app, deps);
      settingsRoutes(app, deps);
      paperRoutes(app, deps);
      controlRoutes(app, deps);
      demoRoutes(app, deps);
      maintenanceRoutes(app, deps);
      cleanUpRoutes(app, deps);
      healthStateRoutes(app, deps);
      doorRoutes(app, deps);
      eventRoutes(app, deps);
      ticketSourceRoutes(app, deps);
      doorTeamRoutes(app, deps);
      kioskConsoleRoutes(app, deps);
      changesRoute(app, deps);
      metricsApiRoute(app, deps);
      consoleOpenApiRoute(app, deps);
    },
    { prefix: CONSOLE_API },
  );
}

import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import {
  AuditFilters,
  type AuditItem,
  AuditPage,
  AuditQuery,
  AuditVerdict,
} from '../../contract/console/audit.ts';
import { checkAudit, exportAudit, readAuditPage } from '../../services/operators/audit-log.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { consoleRoute } from './route.ts';

/** The audit log, for admins. */
export function auditRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'GET',
    url: '/audit',
    ownOnly: true,
    role: 'admin',
    summary: 'Audit log, newest first',
    query: AuditQuery.properties,
    response: AuditPage,
    handler: ({ query, signedIn }) => readAuditPage(deps.db, query, signedIn),
  });
  consoleRoute(app, {
    method: 'GET',
    url: '/audit/export',
    ownOnly: true,
    role: 'admin',
    summary: 'Audit log as JSON, one entry a line',
    query: AuditFilters.properties,
    handler: async ({ query, signedIn, reply }) =>
      reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', 'attachment; filename="gatehouse-audit.ndjson"')
        .send(Readable.from(lines(exportAudit(deps, query, signedIn)))),
  });
  consoleRoute(app, {
    method: 'POST',
    url: '/audit/verify',
    role: 'admin',
    summary: 'Recompute the chain of hashes',
    response: AuditVerdict,
    handler: () => checkAudit(deps.db),
  });
}

async function* lines(items: AsyncIterable<AuditItem>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

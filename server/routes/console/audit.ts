import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type AuditItem } from '../../contract/console/audit.ts';
import { checkAudit, exportAudit, readAuditPage } from '../../services/operators/audit-log.ts';
import type { ConsoleDeps } from '../deps.ts';
import { audit } from '../../contract/routes/console/audit.ts';
import { register } from './register.ts';

/** The audit log, for admins. */
export function auditRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, audit.list, ({ query, signedIn }) => readAuditPage(deps.db, query, signedIn));
  register(app, deps, audit.export, async ({ query, signedIn, reply }) =>
    reply
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', 'attachment; filename="gatehouse-audit.ndjson"')
      .send(Readable.from(lines(await exportAudit(deps, query, signedIn)))),
  );
  register(app, deps, audit.verify, () => checkAudit(deps.db));
}

async function* lines(items: AsyncIterable<AuditItem>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

/** Where an event's tickets come from, for admins. */
import type { FastifyInstance } from 'fastify';
import { ticketSources } from '../../contract/routes/console/ticket-sources.ts';
import { importList } from '../../services/tickets/import-list.ts';
import { createSource, readSources, removeSource } from '../../services/tickets/sources.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { ConsoleDeps } from '../deps.ts';
import { done, register } from './register.ts';

export function ticketSourceRoutes(root: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(root, deps, ticketSources.list, ({ scope, params }) => readSources(deps, scope, params.event_id));
  register(root, deps, ticketSources.create, ({ scope, params, body, actor }) =>
    createSource(deps, scope, { eventId: params.event_id, request: body, actor }),
  );
  register(root, deps, ticketSources.remove, ({ scope, params, body: { reason }, actor }) =>
    done(removeSource(deps, scope, { eventId: params.event_id, sourceId: params.source_id, reason, actor })),
  );
  // In a separate scope that reads files. Forms on other sites cannot send this content type.
  void root.register(async (app) => {
    app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, read) => {
      read(null, body);
    });
    register(app, deps, ticketSources.importList, ({ scope, params, query, request: { body }, actor }) => {
      if (!Buffer.isBuffer(body))
        throw new Refusal('csv_refused', { args: { problem: 'empty', line: 0, max: 0 } });
      return importList(deps, scope, {
        eventId: params.event_id,
        bytes: body,
        sourceId: query.source_id ?? null,
        name: query.name ?? null,
        columns: query.columns ?? null,
        cancelsGone: query.cancel_gone === true,
        isRehearsal: query.rehearse === true,
        actor,
        ...(query.encoding !== undefined && { encoding: query.encoding }),
        ...(query.separator !== undefined && { separator: query.separator }),
      });
    });
  });
}

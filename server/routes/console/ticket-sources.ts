/** Where an event's tickets come from, for admins. */
import type { FastifyInstance } from 'fastify';
import { ticketSources } from '../../contract/routes/console/ticket-sources.ts';
import { createAsk } from '../../services/tickets/ask.ts';
import {
  choosePretix,
  readChoices,
  readNow,
  readUntold,
  rollSource,
  tellSourceAgain,
} from '../../services/tickets/connect.ts';
import { importList } from '../../services/tickets/import-list.ts';
import { createSource, readSourcesPage, removeSource } from '../../services/tickets/sources.ts';
import { readCodeKeys } from '../../services/tickets/human-codes.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { ConsoleDeps } from '../deps.ts';
import { acceptFiles } from '../json-bodies.ts';
import { done, register } from './register.ts';

export function ticketSourceRoutes(
  root: FastifyInstance,
  { webhooks, ...ports }: Pick<ConsoleDeps, 'db' | 'clock' | 'baseUrl' | 'webhooks'>,
): void {
  const deps = { ...ports, ask: createAsk(webhooks) };
  const of = ({ event_id: eventId, source_id: sourceId }: { event_id: string; source_id: string }) => ({
    eventId,
    sourceId,
  });
  register(root, deps, ticketSources.list, ({ scope, params }) =>
    readSourcesPage(deps, scope, params.event_id),
  );
  register(root, deps, ticketSources.create, ({ scope, params, body, actor }) =>
    createSource(deps, scope, { eventId: params.event_id, request: body, actor }),
  );
  register(root, deps, ticketSources.remove, ({ scope, params, body: { reason }, actor }) =>
    done(removeSource(deps, scope, { ...of(params), reason, actor })),
  );
  register(root, deps, ticketSources.choices, ({ scope, params, query: { event } }) =>
    readChoices(deps, scope, { ...of(params), event }),
  );
  register(root, deps, ticketSources.choose, ({ scope, params, body, actor }) =>
    choosePretix(deps, scope, { ...of(params), choice: body, actor }),
  );
  register(root, deps, ticketSources.roll, ({ scope, params, actor }) =>
    rollSource(deps, scope, { ...of(params), actor }),
  );
  register(root, deps, ticketSources.read, ({ scope, params }) => readNow(deps, scope, of(params)));
  register(root, deps, ticketSources.untold, ({ scope, params }) => readUntold(deps, scope, of(params)));
  register(root, deps, ticketSources.tellAgain, ({ scope, params, actor }) =>
    tellSourceAgain(deps, scope, { ...of(params), actor }),
  );
  register(root, deps, ticketSources.codeKeys, ({ scope, params }) =>
    readCodeKeys(deps, scope, params.event_id),
  );
  // In a separate scope that reads files. Forms on other sites cannot send this content type.
  void root.register(async (app) => {
    acceptFiles(app, ['text/csv']);
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

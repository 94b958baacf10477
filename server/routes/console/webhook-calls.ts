import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  ConsoleCallDetail,
  ConsoleCallPage,
  RerunFailed,
  RerunFailedResult,
  WebhookCallQuery,
  WebhookQueued,
} from '../../contract/console/webhooks.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { listCalls, ownedLine, readCall, timeOf } from '../../services/webhooks/manage.ts';
import { rerunCall, rerunFailedSince } from '../../services/webhooks/rerun.ts';
import { scopedRoute } from './route.ts';

const LINE = '/webhooks/lines/:lineage_id';
const line = { lineage_id: Type.String() };
const call = { ...line, transaction_id: Type.String() };

/** A line's calls: what was sent, what came back, and sending it again. */
export function webhookCallRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  scopedRoute(app, deps, {
    method: 'GET',
    url: `${LINE}/calls`,
    role: 'admin',
    summary: 'Calls of a line, newest first',
    params: line,
    query: WebhookCallQuery,
    response: ConsoleCallPage,
    handler: async ({ scope, params, query }) =>
      listCalls(deps.db, await ownedLine(deps, scope, params.lineage_id), query),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: `${LINE}/calls/:transaction_id`,
    role: 'admin',
    summary: 'A call with its attempts',
    params: call,
    response: ConsoleCallDetail,
    handler: async ({ scope, params }) =>
      readCall(deps.db, await ownedLine(deps, scope, params.lineage_id), params.transaction_id),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: `${LINE}/calls/:transaction_id/rerun`,
    role: 'admin',
    summary: 'Send a call again, under a new id',
    params: call,
    response: WebhookQueued,
    handler: async ({ scope, params, actor }) => {
      const owner = await ownedLine(deps, scope, params.lineage_id);
      const { transaction_id } = await rerunCall(deps, owner, params.transaction_id, actor);
      return { transaction_id };
    },
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: `${LINE}/rerun-failed`,
    role: 'admin',
    summary: 'Send again what failed for good since a time',
    params: line,
    body: RerunFailed,
    response: RerunFailedResult,
    handler: async ({ scope, params, body, actor }) => {
      const owner = await ownedLine(deps, scope, params.lineage_id);
      const made = await rerunFailedSince(deps, owner, timeOf(body.since), actor);
      return { calls: made.length };
    },
  });
}

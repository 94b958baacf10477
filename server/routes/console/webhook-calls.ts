import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../../services/deps.ts';
import { listCalls, ownedLine, readCall, timeOf } from '../../services/webhooks/manage.ts';
import { rerunCall, rerunFailedSince } from '../../services/webhooks/rerun.ts';
import { webhookCalls } from '../../contract/routes/console/webhooks.ts';
import { register } from './register.ts';

/** The calls of a key family: what was sent, what was returned, and sending again. */
export function webhookCallRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, webhookCalls.list, async ({ scope, params, query }) =>
    listCalls(deps.db, await ownedLine(deps, scope, params.lineage_id), query),
  );
  register(app, deps, webhookCalls.read, async ({ scope, params }) =>
    readCall(deps.db, await ownedLine(deps, scope, params.lineage_id), params.transaction_id),
  );
  register(app, deps, webhookCalls.rerun, async ({ scope, params, actor }) => {
    const owner = await ownedLine(deps, scope, params.lineage_id);
    const { transaction_id } = await rerunCall(deps, owner, params.transaction_id, actor);
    return { transaction_id };
  });
  register(app, deps, webhookCalls.rerunFailed, async ({ scope, params, body, actor }) => {
    const owner = await ownedLine(deps, scope, params.lineage_id);
    const made = await rerunFailedSince(deps, owner, timeOf(body.since), actor);
    return { calls: made.length };
  });
}

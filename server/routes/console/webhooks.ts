import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import {
  listCalls,
  listLines,
  ownedCalls,
  ownedLine,
  readCall,
  readLine,
  troubledReceivers,
  v3Item,
  wholeSecrets,
} from '../../services/webhooks/manage.ts';
import { ROLL_OVERLAPS_MS } from '../../services/keys/keys.ts';
import { venueTime } from '../../services/companies/zones.ts';
import { createOrEditConfig, deleteConfig } from '../../services/webhooks/admin.ts';
import { pauseDestination, resumeDestination } from '../../services/webhooks/destinations.ts';
import { rerunFailedSince, sendNow, sendTestEvent } from '../../services/webhooks/rerun.ts';
import { rotateSecret, showSecrets } from '../../services/webhooks/secrets.ts';
import { sendSample } from '../../services/webhooks/v3-messages.ts';
import {
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  updateWebhook,
} from '../../services/webhooks/v3-webhooks.ts';
import { v3Webhooks, webhookCalls, webhooks } from '../../contract/routes/console/webhooks.ts';
import { register } from './register.ts';

/** Webhooks, for admins. */
export function webhookRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'webhooks'>,
): void {
  register(app, deps, webhooks.lines, ({ scope, query }) => listLines(deps, scope, query));
  register(app, deps, webhooks.line, ({ scope, params }) => readLine(deps, scope, params.lineage_id));
  v3WebhookRoutes(app, deps);
  destinationRoutes(app, deps);
  secretRoutes(app, deps);
  receiverRoutes(app, deps);
  webhookCallRoutes(app, deps);
}

function v3WebhookRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock' | 'webhooks'>): void {
  register(app, deps, v3Webhooks.list, async ({ scope }) => ({
    items: await Promise.all(
      (await listWebhooks(deps.db, scope)).map((webhook) => v3Item(deps, scope, webhook)),
    ),
  }));
  register(app, deps, v3Webhooks.create, async ({ scope, body, actor }) => {
    const { webhook_id: id } = await createWebhook(deps, { scope, actor }, body);
    return v3Item(deps, scope, await readWebhook(deps.db, scope, id));
  });
  register(app, deps, v3Webhooks.save, async ({ scope, params, body, actor }) =>
    v3Item(deps, scope, await updateWebhook(deps, { scope, actor }, params.webhook_id, body)),
  );
  register(app, deps, v3Webhooks.remove, async ({ scope, params, body: { reason }, actor }) => {
    await removeWebhook(deps, { scope, actor, reason }, params.webhook_id);
    return params;
  });
  register(app, deps, v3Webhooks.test, async ({ scope, params, body: { type }, actor }) => {
    const [id = ''] = await sendSample(deps, { scope, actor }, { webhookId: params.webhook_id, type });
    return { transaction_id: id };
  });
}

function destinationRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock' | 'webhooks'>): void {
  register(
    app,
    deps,
    webhooks.saveDestination,
    async ({ scope, params: { lineage_id, webhook_type }, body, actor }) => {
      const owner = await ownedLine(deps, scope, lineage_id);
      await createOrEditConfig(deps, owner, { webhook_type, ...body }, actor);
      return readLine(deps, scope, lineage_id);
    },
  );
  register(
    app,
    deps,
    webhooks.removeDestination,
    async ({ scope, params: { lineage_id, webhook_type }, body, actor }) => {
      const owner = await ownedLine(deps, scope, lineage_id);
      await deleteConfig(deps, owner, webhook_type, actor, body.reason);
      return readLine(deps, scope, lineage_id);
    },
  );
  register(
    app,
    deps,
    webhooks.testDestination,
    async ({ scope, params: { lineage_id, webhook_type }, actor }) => {
      const owner = await ownedLine(deps, scope, lineage_id);
      return { transaction_id: await sendTestEvent(deps, owner, webhook_type, actor) };
    },
  );
}

function secretRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, webhooks.showSecrets, async ({ scope, params, actor }) => {
    const owner = await ownedCalls(deps, scope, params.lineage_id);
    return wholeSecrets(await showSecrets(deps.db, deps.clock, { ...owner, actor }));
  });
  register(app, deps, webhooks.rotateSecret, async ({ scope, params, body: { overlap, reason }, actor }) => {
    const owner = await ownedCalls(deps, scope, params.lineage_id);
    const overlapMs = ROLL_OVERLAPS_MS[overlap];
    return wholeSecrets(await rotateSecret(deps.db, deps.clock, { ...owner, overlapMs, reason, actor }));
  });
}

function receiverRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, webhooks.receivers, async ({ scope }) => ({
    items: await troubledReceivers(deps.db, scope),
  }));
  register(app, deps, webhooks.pauseReceiver, ({ scope, body, actor }) =>
    pauseDestination(deps.db, deps.clock, { scope, ...body, actor }),
  );
  register(app, deps, webhooks.resumeReceiver, ({ scope, body, actor }) =>
    resumeDestination(deps.db, deps.clock, { scope, ...body, actor }),
  );
}

/** The calls of a key family: what was sent, what was returned, and sending again. */
function webhookCallRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, webhookCalls.list, async ({ scope, params, query }) =>
    listCalls(deps.db, await ownedCalls(deps, scope, params.lineage_id), query),
  );
  register(app, deps, webhookCalls.read, async ({ scope, params }) =>
    readCall(deps.db, await ownedCalls(deps, scope, params.lineage_id), params.transaction_id),
  );
  register(app, deps, webhookCalls.rerun, async ({ scope, params, actor }) => {
    const owner = await ownedCalls(deps, scope, params.lineage_id);
    return { transaction_id: await sendNow(deps, owner, params.transaction_id, actor) };
  });
  register(app, deps, webhookCalls.rerunFailed, async ({ scope, params, body, actor }) => {
    const owner = await ownedCalls(deps, scope, params.lineage_id);
    const { ids, waiting } = await rerunFailedSince(
      deps,
      owner,
      await venueTime(deps.db, scope.companyId, body.since),
      actor,
    );
    return { calls: ids.length + waiting };
  });
}

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Done, PageQuery } from '../../contract/console/common.ts';
import {
  ReceiverChange,
  WebhookDestinationSave,
  WebhookLineDetail,
  WebhookLinePage,
  WebhookQueued,
  WebhookReason,
  WebhookReceivers,
  WebhookSecretRotate,
  WebhookSecrets,
} from '../../contract/console/webhooks.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import {
  listLines,
  ownedLine,
  readLine,
  troubledReceivers,
  wholeSecrets,
} from '../../services/webhooks/manage.ts';
import { ROLL_OVERLAPS_MS } from '../../services/keys/keys.ts';
import { createOrEditConfig, deleteConfig } from '../../services/webhooks/admin.ts';
import { pauseDestination, resumeDestination } from '../../services/webhooks/destinations.ts';
import { sendTestEvent } from '../../services/webhooks/rerun.ts';
import { rotateSecret, showSecrets } from '../../services/webhooks/secrets.ts';
import { scopedRoute } from './route.ts';
import { webhookCallRoutes } from './webhook-calls.ts';

const DONE: Done = { ok: true };
const LINE = '/webhooks/lines/:lineage_id';
const line = { lineage_id: Type.String() };

/** Webhooks, for admins. */
export function webhookRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/webhooks/lines',
    role: 'admin',
    summary: 'Lines of API-KEYs that webhooks belong to, newest first',
    query: PageQuery,
    response: WebhookLinePage,
    handler: ({ scope, query }) => listLines(deps, scope, query),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: LINE,
    role: 'admin',
    summary: 'Destinations and secrets of a line',
    params: line,
    response: WebhookLineDetail,
    handler: ({ scope, params }) => readLine(deps, scope, params.lineage_id),
  });
  destinationRoutes(app, deps);
  secretRoutes(app, deps);
  receiverRoutes(app, deps);
  webhookCallRoutes(app, deps);
}

function destinationRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const url = `${LINE}/destinations/:webhook_type`;
  const params = { ...line, webhook_type: Type.String() };
  scopedRoute(app, deps, {
    method: 'PUT',
    url,
    role: 'admin',
    summary: 'Set where events of a type go; one that was switched off is on again',
    params,
    body: WebhookDestinationSave,
    response: Done,
    handler: async ({ scope, params: { lineage_id, webhook_type }, body, actor }) => {
      const owner = await ownedLine(deps, scope, lineage_id);
      await createOrEditConfig(deps, owner, { webhook_type, ...body }, actor);
      return DONE;
    },
  });
  scopedRoute(app, deps, {
    method: 'DELETE',
    url,
    role: 'admin',
    summary: 'Remove a destination; calls that wait for it end as failed',
    params,
    body: WebhookReason,
    response: Done,
    handler: async ({ scope, params: { lineage_id, webhook_type }, body, actor }) => {
      const owner = await ownedLine(deps, scope, lineage_id);
      await deleteConfig(deps, owner, webhook_type, actor, body.reason);
      return DONE;
    },
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: `${url}/test`,
    role: 'admin',
    summary: 'Send an event about nobody, to try a receiver',
    params,
    response: WebhookQueued,
    handler: async ({ scope, params: { lineage_id, webhook_type }, actor }) => {
      const owner = await ownedLine(deps, scope, lineage_id);
      return { transaction_id: await sendTestEvent(deps, owner, webhook_type, actor) };
    },
  });
}

function secretRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  scopedRoute(app, deps, {
    method: 'POST',
    url: `${LINE}/secret/show`,
    role: 'admin',
    summary: 'The secrets that receivers may need now, whole',
    params: line,
    response: WebhookSecrets,
    handler: async ({ scope, params, actor }) => {
      const owner = await ownedLine(deps, scope, params.lineage_id);
      return wholeSecrets(await showSecrets(deps.db, deps.clock, { ...owner, actor }));
    },
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: `${LINE}/secret/rotate`,
    role: 'admin',
    summary: 'Make a new secret, which signs from now on',
    params: line,
    body: WebhookSecretRotate,
    response: WebhookSecrets,
    handler: async ({ scope, params, body: { overlap, reason }, actor }) => {
      const owner = await ownedLine(deps, scope, params.lineage_id);
      const overlapMs = ROLL_OVERLAPS_MS[overlap];
      return wholeSecrets(await rotateSecret(deps.db, deps.clock, { ...owner, overlapMs, reason, actor }));
    },
  });
}

function receiverRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/webhooks/receivers',
    role: 'admin',
    summary: 'Receivers that fail or are paused',
    response: WebhookReceivers,
    handler: async ({ scope }) => ({ items: await troubledReceivers(deps.db, scope) }),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/webhooks/receivers/pause',
    role: 'admin',
    summary: 'Leave a receiver alone: its calls wait',
    body: ReceiverChange,
    response: Done,
    handler: async ({ scope, body, actor }) => {
      await pauseDestination(deps.db, deps.clock, { scope, ...body, actor });
      return DONE;
    },
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/webhooks/receivers/resume',
    role: 'admin',
    summary: 'Go on with what has waited for a receiver, at once',
    body: ReceiverChange,
    response: Done,
    handler: async ({ scope, body, actor }) => {
      await resumeDestination(deps.db, deps.clock, { scope, ...body, actor });
      return DONE;
    },
  });
}

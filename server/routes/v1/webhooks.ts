import { type Actor, keyActor } from '../../domain/operators/actor.ts';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  WebhookCallRerun,
  WebhookCallRerunResult,
  WebhookCalls,
  WebhookConfigDelete,
  WebhookConfigDeleted,
  WebhookConfigEdit,
  WebhookConfigEdited,
  WebhookConfigs,
  WebhookEvents,
} from '../../contract/v1-webhooks.ts';
import { V1_WEBHOOK_OPERATIONS } from '../../contract/v1-operations.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Caller } from '../../services/keys/keys.ts';
import {
  createOrEditConfig,
  deleteConfig,
  listConfigs,
  recentCalls,
  recentEvents,
} from '../../services/webhooks/admin.ts';
import { rerunCall } from '../../services/webhooks/rerun.ts';
import { connectCallerOf, MAX_BODY_BYTES, requireApiKey } from '../v1-v2/index.ts';
import { documented } from '../register.ts';

/** The six operations of the webhook administration (contract, v1 endpoints). Lists need no body. */
export function webhookRoutes(
  scope: FastifyInstance,
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'reads' | 'refusals' | 'webhooks'>,
): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const common = { bodyLimit: MAX_BODY_BYTES, onRequest: requireApiKey(deps) };
  const operations = V1_WEBHOOK_OPERATIONS;

  app.post(
    '/webhook/admin/config/create_or_edit',
    {
      ...common,
      ...documented(operations.saveWebhookConfig, WebhookConfigEdited, { body: WebhookConfigEdit }),
    },
    (request) => {
      const caller = connectCallerOf(request);
      return createOrEditConfig(deps, caller, request.body, actorOf(caller));
    },
  );

  app.post(
    '/webhook/admin/config/get',
    { ...common, ...documented(operations.listWebhookConfigs, WebhookConfigs) },
    (request) => listConfigs(deps.db, connectCallerOf(request)),
  );

  app.post(
    '/webhook/admin/config/delete',
    {
      ...common,
      ...documented(operations.deleteWebhookConfig, WebhookConfigDeleted, { body: WebhookConfigDelete }),
    },
    (request) => {
      const caller = connectCallerOf(request);
      return deleteConfig(deps, caller, request.body.webhook_type, actorOf(caller));
    },
  );

  app.post(
    '/webhook/admin/call/get',
    { ...common, ...documented(operations.listWebhookCalls, WebhookCalls) },
    (request) => recentCalls(deps.db, connectCallerOf(request)),
  );

  app.post(
    '/webhook/admin/call/rerun',
    {
      ...common,
      ...documented(operations.rerunWebhookCall, WebhookCallRerunResult, { body: WebhookCallRerun }),
    },
    (request) => {
      const caller = connectCallerOf(request);
      return rerunCall(deps, caller, request.body.transaction_id, actorOf(caller));
    },
  );

  app.post(
    '/webhook/admin/event/get',
    { ...common, ...documented(operations.listWebhookEvents, WebhookEvents) },
    (request) => recentEvents(deps.db, connectCallerOf(request)),
  );
}

const actorOf = ({ keyId }: Caller): Actor => keyActor(keyId);

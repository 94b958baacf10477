import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { V3_WEBHOOK_OPERATIONS } from '../../contract/v3-webhook-operations.ts';
import {
  CallParams,
  CallQuery,
  EventRequest,
  MessageQueued,
  ReplayRequest,
  ReplayResult,
  SecretRotate,
  Webhook,
  WebhookCreate,
  WebhookDeleted,
  WebhookList,
  WebhookMessage,
  WebhookMessages,
  WebhookParams,
  WebhookUpdate,
  WebhookWithSecrets,
} from '../../contract/v3-webhooks.ts';
import { keyActor } from '../../domain/operators/actor.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Caller } from '../../services/keys/keys.ts';
import { ROTATION_OVERLAP_MS, rotateSecret } from '../../services/webhooks/secrets.ts';
import {
  listMessages,
  readMessage,
  replayMessage,
  replayMessages,
  sendSample,
} from '../../services/webhooks/v3-messages.ts';
import {
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  updateWebhook,
  withSecrets,
} from '../../services/webhooks/v3-webhooks.ts';
import { ValidationError } from '../../refusals/refusal.ts';
import { withoutBodyIsEmpty } from '../json-bodies.ts';
import { documented } from '../register.ts';

const HOUR_MS = 3_600_000;

type Guard = { onRequest: onRequestAsyncHookHandler; callerOf: (request: FastifyRequest) => Caller };

/** Some that the format allows are no times here: a leap second, or a time zone in brackets. @throws ValidationError */
function timeOf(since: string): number {
  const ms = Date.parse(since);
  if (!Number.isNaN(ms)) return ms;
  throw new ValidationError([
    { type: 'value_error', loc: ['body', 'since'], msg: 'Value error, not a time', input: since },
  ]);
}

/** Webhooks of v3, for secret keys: they belong to the key's company and partition. */
export function v3WebhookRoutes(
  scope: FastifyInstance,
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'webhooks'>,
  { onRequest, callerOf }: Guard,
): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const operations = V3_WEBHOOK_OPERATIONS;
  const by = (request: FastifyRequest) => {
    const { scope: owner, keyId } = callerOf(request);
    return { scope: owner, actor: keyActor(keyId) };
  };

  app.post(
    '/v3/webhooks',
    { ...documented(operations.createWebhook, WebhookWithSecrets, { body: WebhookCreate }), onRequest },
    (request) => createWebhook(deps, by(request), request.body),
  );
  app.get(
    '/v3/webhooks',
    { ...documented(operations.listWebhooks, WebhookList), onRequest },
    async (request) => ({ items: await listWebhooks(deps.db, by(request).scope) }),
  );
  app.get(
    '/v3/webhooks/:webhook_id',
    { ...documented(operations.readWebhook, Webhook, { params: WebhookParams }), onRequest },
    (request) => readWebhook(deps.db, by(request).scope, request.params.webhook_id),
  );
  app.patch(
    '/v3/webhooks/:webhook_id',
    {
      ...documented(operations.updateWebhook, Webhook, { params: WebhookParams, body: WebhookUpdate }),
      onRequest,
    },
    (request) => updateWebhook(deps, by(request), request.params.webhook_id, request.body),
  );
  app.delete(
    '/v3/webhooks/:webhook_id',
    { ...documented(operations.deleteWebhook, WebhookDeleted, { params: WebhookParams }), onRequest },
    async (request) => {
      await removeWebhook(deps, by(request), request.params.webhook_id);
      return { webhook_id: request.params.webhook_id };
    },
  );
  app.post(
    '/v3/webhooks/:webhook_id/secret/rotate',
    {
      ...documented(operations.rotateWebhookSecret, WebhookWithSecrets, {
        params: WebhookParams,
        body: SecretRotate,
      }),
      onRequest,
      preValidation: withoutBodyIsEmpty,
    },
    async (request) => {
      const { webhook_id: lineageId } = request.params;
      const { overlap_hours: hours } = request.body;
      const overlapMs = hours === undefined ? ROTATION_OVERLAP_MS : hours * HOUR_MS;
      await readWebhook(deps.db, by(request).scope, lineageId);
      await rotateSecret(deps.db, deps.clock, { ...by(request), lineageId, overlapMs });
      return withSecrets(deps.db, by(request).scope, lineageId, deps.clock.now());
    },
  );
  app.post(
    '/v3/webhooks/:webhook_id/events',
    {
      ...documented(operations.sendWebhookEvent, MessageQueued, {
        params: WebhookParams,
        body: EventRequest,
      }),
      onRequest,
    },
    async (request) => {
      const event = { webhookId: request.params.webhook_id, type: request.body.type };
      const [id = ''] = await sendSample(deps, by(request), event);
      return { message_id: id };
    },
  );
  app.get(
    '/v3/webhooks/:webhook_id/messages',
    {
      ...documented(operations.listWebhookMessages, WebhookMessages, {
        params: WebhookParams,
        querystring: CallQuery,
      }),
      onRequest,
    },
    (request) => listMessages(deps.db, by(request).scope, request.params.webhook_id, request.query),
  );
  app.get(
    '/v3/webhooks/:webhook_id/messages/:message_id',
    { ...documented(operations.readWebhookMessage, WebhookMessage, { params: CallParams }), onRequest },
    (request) => {
      const { webhook_id: webhookId, message_id: messageId } = request.params;
      return readMessage(deps.db, by(request).scope, webhookId, messageId);
    },
  );
  app.post(
    '/v3/webhooks/:webhook_id/messages/:message_id/replay',
    { ...documented(operations.replayWebhookMessage, MessageQueued, { params: CallParams }), onRequest },
    async (request) => {
      const { webhook_id: webhookId, message_id: messageId } = request.params;
      return { message_id: await replayMessage(deps, by(request), { webhookId, messageId }) };
    },
  );
  app.post(
    '/v3/webhooks/:webhook_id/replay',
    {
      ...documented(operations.replayWebhookMessages, ReplayResult, {
        params: WebhookParams,
        body: ReplayRequest,
      }),
      onRequest,
    },
    (request) => {
      const { since, include_completed: isCompletedToo = false } = request.body;
      return replayMessages(deps, by(request), request.params.webhook_id, {
        sinceMs: timeOf(since),
        isCompletedToo,
      });
    },
  );
}

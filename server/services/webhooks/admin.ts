/**
 * Webhook administration shared by v1 and the console (decisions §4.8). Settings belong to the key family of a key.
 */
import { Refusal } from '../../refusals/refusal.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type {
  WebhookCallItem,
  WebhookConfigDeleted,
  WebhookConfigEdit,
  WebhookConfigEdited,
  WebhookConfigs,
  WebhookEventItem,
} from '../../contract/v1-webhooks.ts';
import { WEBHOOK_LIST_LIMIT } from '../../contract/webhook-types.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { listWebhookCalls, type WebhookCall } from '../../store/webhooks/calls.ts';
import {
  deleteWebhookConfig,
  findWebhookConfig,
  listWebhookConfigs,
  saveWebhookConfig,
} from '../../store/webhooks/configs.ts';
import { listWebhookEvents, type WebhookEvent } from '../../store/webhooks/events.ts';
import { failWaitingCalls, readdressCalls } from '../../store/webhooks/outbox.ts';
import type { Ports } from '../ports/ports.ts';
import type { WebhookService } from './service.ts';
import { newId } from '../ports/ids.ts';
import { listDestinations, takeUpReceiver } from './destinations.ts';
import { type ChangeLog, mergeChange } from '../wire/versions.ts';
import { knownType, usableDestination } from './refusals.ts';
import { signingSecret } from './secrets.ts';
import { iso, isoOrNull } from '../wire/values.ts';

/** Owner of the webhooks: a key family of a scope. */
export type WebhookOwner = { scope: Scope; lineageId: string };
type Deps = Pick<Ports, 'db' | 'clock'> & { webhooks: WebhookService };

/**
 * Sets or changes the destination of a type of event. Calls waiting for the old address go to the new one immediately.
 * A receiver that answered 410, or failed for three days, is asked again.
 * @throws Refusal `invalid_webhook_type`, `invalid_destination`, `changed_meanwhile`
 */
export async function createOrEditConfig(
  { db, clock, webhooks }: Deps,
  { scope, lineageId }: WebhookOwner,
  { webhook_type, destination_url: wanted, version }: WebhookConfigEdit & { version?: string | undefined },
  actor: Actor,
): Promise<WebhookConfigEdited> {
  const type = knownType(webhook_type);
  const policy = await webhooks.policy();
  usableDestination(wanted, policy);
  const { destinationUrl, secret } = await db.tx(async (tx) => {
    const at = clock.now();
    const before = await findWebhookConfig(tx, scope, lineageId, type);
    const current = { destination_url: before?.destinationUrl ?? null };
    const log: ChangeLog = {
      subject: lineageId,
      companyId: scope.companyId,
      actions: ['webhook_config.save', 'webhook_config.delete'],
      details: { webhook_type: type },
    };
    const merged = await mergeChange(tx, { version, current, sent: { destination_url: wanted }, log });
    const destinationUrl = merged.destination_url ?? before?.destinationUrl ?? wanted;
    const { origin } = usableDestination(destinationUrl, policy);
    await saveWebhookConfig(tx, scope, { id: newId(at), lineageId, type, destinationUrl, changedAt: at });
    const readdressed =
      before?.destinationUrl === destinationUrl
        ? 0
        : await readdressCalls(tx, scope, { lineageId, type, destinationUrl, origin }, at);
    await takeUpReceiver(tx, scope, { origin, actor, at });
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'webhook_config.save',
      subject: lineageId,
      // Its path may be a secret of the receiver, and the audit log is read by many.
      details: { webhook_type: type, destination_url: origin, readdressed_calls: readdressed },
    });
    return { destinationUrl, secret: await signingSecret(tx, scope, lineageId, at) };
  });
  return { status: 'success', webhook_type: type, destination_url: destinationUrl, shared_secret: secret };
}

/** Newest first; a change of the address makes none newer. */
export async function listConfigs(
  db: SqlReader,
  { scope, lineageId }: WebhookOwner,
): Promise<WebhookConfigs> {
  const configs = await listWebhookConfigs(db, scope, lineageId);
  const newestFirst = configs.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const paused = new Set(
    (await listDestinations(db, scope)).filter(({ state }) => state === 'paused').map(({ origin }) => origin),
  );
  return newestFirst.map(({ type, destinationUrl, disabledAt }) => ({
    webhook_type: knownType(type),
    destination_url: destinationUrl,
    ...(disabledAt !== null
      ? { state: 'gone', gone_at: iso(disabledAt) }
      : paused.has(new URL(destinationUrl).origin) && { state: 'paused' }),
  }));
}

/**
 * Deletes a configuration. Its waiting calls fail. The console requires a reason, v1 has none.
 * @throws Refusal `invalid_webhook_type`, `webhook_not_found`
 */
export async function deleteConfig(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { scope, lineageId }: WebhookOwner,
  webhookType: string,
  actor: Actor,
  reason?: string,
): Promise<WebhookConfigDeleted> {
  const type = knownType(webhookType);
  await db.tx(async (tx) => {
    if ((await deleteWebhookConfig(tx, scope, lineageId, type)) === 0) {
      throw new Refusal('webhook_not_found', { message: `No webhook is configured for ${type}.` });
    }
    const at = clock.now();
    const ended = await failWaitingCalls(tx, scope, { lineageId, type }, { at, why: 'destination_deleted' });
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'webhook_config.delete',
      subject: lineageId,
      details: { webhook_type: type, ended_calls: ended, ...(reason !== undefined && { reason }) },
    });
  });
  return { status: 'success', webhook_type: type };
}

/** The latest calls of a key family, up to 50. */
export async function recentCalls(
  db: SqlReader,
  { scope, lineageId }: WebhookOwner,
): Promise<WebhookCallItem[]> {
  const page = { limit: WEBHOOK_LIST_LIMIT, beforeSeq: null, status: null };
  return (await listWebhookCalls(db, scope, lineageId, page)).map(callItem);
}

/** The latest attempts of a key family, up to 50. */
export async function recentEvents(
  db: SqlReader,
  { scope, lineageId }: WebhookOwner,
): Promise<WebhookEventItem[]> {
  const page = { limit: WEBHOOK_LIST_LIMIT, beforeSeq: null, transactionId: null };
  return (await listWebhookEvents(db, scope, lineageId, page)).map(eventItem);
}

export const callItem = (call: WebhookCall): WebhookCallItem => ({
  ...callTimes(call),
  webhook_type: knownType(call.type),
});

export const callTimes = (call: WebhookCall): Omit<WebhookCallItem, 'webhook_type'> => ({
  transaction_id: call.transactionId,
  status: call.status,
  attempts: call.attempts,
  created_at: iso(call.createdAt),
  next_attempt_at: isoOrNull(call.nextAttemptAt),
  last_attempt_at: isoOrNull(call.lastAttemptAt),
  completed_at: isoOrNull(call.completedAt),
});

export const eventItem = (event: WebhookEvent): WebhookEventItem => ({
  transaction_id: event.transactionId,
  attempt: event.attempt,
  http_status: event.httpStatus,
  response_body: event.responseBody,
  network_failure: event.networkFailure,
  duration_ms: event.durationMs,
  created_at: iso(event.createdAt),
});

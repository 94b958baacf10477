/** Webhooks of v3, for the API, the console and the command line: where events go, and with which secret. */
import { randomUUID } from 'node:crypto';
import {
  MAX_WEBHOOKS,
  type Webhook,
  type WebhookCreate,
  type WebhookUpdate,
  type WebhookWithSecrets,
} from '../../contract/v3-webhooks.ts';
import { V3_EVENTS, type V3Event } from '../../contract/webhook-types.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import {
  addWebhookSecret,
  deleteWebhookConfig,
  listWebhookConfigs,
  saveWebhookConfig,
  type WebhookConfig,
} from '../../store/webhooks/configs.ts';
import { failWaitingCalls, readdressCalls } from '../../store/webhooks/outbox.ts';
import {
  deleteV3Webhook,
  describeV3Webhook,
  findV3Webhook,
  insertV3Webhook,
  listV3Webhooks,
  type V3Webhook,
} from '../../store/webhooks/v3-webhooks.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { newId } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { iso, isoOrNull } from '../wire/values.ts';
import { type DestinationItem, listDestinations, takeUpReceiver } from './destinations.ts';
import { type ChangeLog, mergeChange } from '../wire/versions.ts';
import { usableDestination } from './refusals.ts';
import { listSecrets } from './secrets.ts';
import type { WebhookService } from './service.ts';
import { newV3Secret } from './sign.ts';

type Deps = Pick<Ports, 'db' | 'clock'> & { webhooks: Pick<WebhookService, 'policy'> };
type By = { scope: Scope; actor: Actor; reason?: string };

/** @throws Refusal `invalid_destination`, `too_many_webhooks` */
export async function createWebhook(
  { db, clock, webhooks }: Deps,
  { scope, actor }: By,
  { url, events = [...V3_EVENTS], description = '', signing = 'shared_secret' }: WebhookCreate,
): Promise<WebhookWithSecrets> {
  const { origin } = usableDestination(url, await webhooks.policy(), scope.partition === 'test');
  const id = `wh_${randomUUID().replaceAll('-', '')}`;
  return db.tx(async (tx) => {
    const at = clock.now();
    if ((await listV3Webhooks(tx, scope)).length >= MAX_WEBHOOKS) throw new Refusal('too_many_webhooks');
    await insertV3Webhook(tx, scope, { id, description, signing, createdAt: at });
    await saveEvents(tx, scope, { id, url, events, at });
    const secret = { version: 1, secret: newV3Secret(signing), createdAt: at };
    await addWebhookSecret(tx, scope, id, secret, at);
    await takeUpReceiver(tx, scope, { origin, actor, at });
    await audit(tx, { scope, actor }, { id, events, origin, at });
    return withSecrets(tx, scope, id, at);
  }, scope);
}

/**
 * Changes what is given. Waiting messages go to the new address; those of events that are not sent any more fail. A receiver
 * that answered 410, or failed for three days, is asked again.
 * @throws Refusal `webhook_not_found`, `invalid_destination`, `changed_meanwhile`
 */
export async function updateWebhook(
  { db, clock, webhooks }: Deps,
  { scope, actor, reason }: By,
  id: string,
  { version, ...sent }: WebhookUpdate & { version?: string | undefined },
): Promise<Webhook> {
  const policy = await webhooks.policy();
  return db.tx(async (tx) => {
    const at = clock.now();
    const { webhook, configs } = await existing(tx, scope, id);
    const current = { url: urlOf(configs), events: eventsOf(configs), description: webhook.description };
    const log: ChangeLog = { subject: id, companyId: scope.companyId, actions: ['webhook_config.save'] };
    const change = await mergeChange(tx, { version, current, sent, log });
    const { url, events, description } = { ...current, ...change };
    const { origin } = usableDestination(url, policy, scope.partition === 'test');
    await describeV3Webhook(tx, scope, { id, description });
    await saveEvents(tx, scope, { id, url, events, at });
    for (const { type } of configs.filter((config) => !events.some((event) => event === config.type)))
      await removeEvent(tx, scope, { id, type }, at);
    if (url !== urlOf(configs))
      for (const type of events)
        await readdressCalls(tx, scope, { lineageId: id, type, destinationUrl: url, origin }, at);
    await takeUpReceiver(tx, scope, { origin, actor, at });
    await audit(tx, { scope, actor, ...(reason !== undefined && { reason }) }, { id, events, origin, at });
    return readWebhook(tx, scope, id);
  }, scope);
}

/** Its waiting messages fail. @throws Refusal `webhook_not_found` */
export async function removeWebhook(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { scope, actor, reason }: By,
  id: string,
): Promise<void> {
  await db.tx(async (tx) => {
    const at = clock.now();
    const { configs } = await existing(tx, scope, id);
    for (const { type } of configs) await removeEvent(tx, scope, { id, type }, at);
    await deleteV3Webhook(tx, scope, id);
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'webhook_config.delete',
      subject: id,
      details: { webhook_type: eventsOf(configs).join(', '), ...(reason !== undefined && { reason }) },
    });
  }, scope);
}

export async function listWebhooks(db: SqlReader, scope: Scope): Promise<Webhook[]> {
  const webhooks = await listV3Webhooks(db, scope);
  if (webhooks.length === 0) return [];
  const receivers = await listDestinations(db, scope);
  const listed: Webhook[] = [];
  for (const webhook of webhooks) {
    const configs = await listWebhookConfigs(db, scope, webhook.id);
    // One without an event has been removed since the list was read.
    if (configs.length > 0) listed.push(toItem(webhook, configs, receivers));
  }
  return listed;
}

/** @throws Refusal `webhook_not_found` */
export async function readWebhook(db: SqlReader, scope: Scope, id: string): Promise<Webhook> {
  const { webhook, configs } = await existing(db, scope, id);
  return toItem(webhook, configs, await listDestinations(db, scope));
}

/** @throws Refusal `webhook_not_found` */
export async function withSecrets(
  db: SqlReader,
  scope: Scope,
  id: string,
  nowMs: number,
): Promise<WebhookWithSecrets> {
  const secrets = await listSecrets(db, scope, id, nowMs);
  return {
    ...(await readWebhook(db, scope, id)),
    secrets: secrets.map(({ secret, createdAt, endsAt }) => ({
      secret,
      created_at: iso(createdAt),
      ends_at: isoOrNull(endsAt),
    })),
  };
}

/** @throws Refusal `webhook_not_found` */
export async function existing(
  db: SqlReader,
  scope: Scope,
  id: string,
): Promise<{ webhook: V3Webhook; configs: WebhookConfig[] }> {
  const webhook = await findV3Webhook(db, scope, id);
  const configs = await listWebhookConfigs(db, scope, id);
  if (!webhook || configs.length === 0) throw new Refusal('webhook_not_found');
  return { webhook, configs };
}

const urlOf = ([config]: readonly WebhookConfig[]): string => config?.destinationUrl ?? '';

/** In the order of the contract. */
const eventsOf = (configs: readonly WebhookConfig[]): V3Event[] =>
  V3_EVENTS.filter((event) => configs.some(({ type }) => type === event));

async function saveEvents(
  tx: SqlTx,
  scope: Scope,
  { id, url, events, at }: { id: string; url: string; events: readonly V3Event[]; at: number },
): Promise<void> {
  for (const type of new Set(events))
    await saveWebhookConfig(tx, scope, {
      id: newId(at),
      lineageId: id,
      type,
      destinationUrl: url,
      changedAt: at,
    });
}

async function removeEvent(
  tx: SqlTx,
  scope: Scope,
  { id, type }: { id: string; type: WebhookConfig['type'] },
  at: number,
): Promise<void> {
  await deleteWebhookConfig(tx, scope, id, type);
  await failWaitingCalls(tx, scope, { lineageId: id, type }, { at, why: 'destination_deleted' });
}

/** The path of an address may be a secret of the receiver, and the audit log is read by many. */
const audit = (
  tx: SqlTx,
  { scope, actor, reason }: By,
  { id, events, origin, at }: { id: string; events: readonly V3Event[]; origin: string; at: number },
): Promise<void> =>
  appendAudit(tx, {
    ...scope,
    at,
    actor,
    action: 'webhook_config.save',
    subject: id,
    details: {
      webhook_type: events.join(', '),
      destination_url: origin,
      ...(reason !== undefined && { reason }),
    },
  });

function toItem(
  { id, description, signing, createdAt }: V3Webhook,
  configs: readonly WebhookConfig[],
  receivers: readonly DestinationItem[],
): Webhook {
  const url = urlOf(configs);
  const { origin } = new URL(url);
  const receiver = receivers.find((known) => known.origin === origin);
  const isGone = configs.some(({ disabledAt }) => disabledAt !== null);
  return {
    webhook_id: id,
    url,
    events: eventsOf(configs),
    description,
    signing,
    state: isGone ? 'gone' : receiver?.state === 'gone' ? 'working' : (receiver?.state ?? 'working'),
    pending: receiver?.pending ?? 0,
    created_at: iso(createdAt),
  };
}

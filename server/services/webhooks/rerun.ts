/** Sending again, on request: always a separate call with its own ID (contract, v1 webhook admin). */
import type { Actor } from '../../domain/operators/actor.ts';
import type { WebhookCallRerunResult } from '../../contract/v1-webhooks.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlTx } from '../../store/sql/port.ts';
import {
  findWebhookCall,
  insertWebhookCall,
  listFailedSince,
  type WebhookCall,
} from '../../store/webhooks/calls.ts';
import { enableWebhookConfig, findWebhookConfig, type WebhookConfig } from '../../store/webhooks/configs.ts';
import type { Clock } from '../clock.ts';
import type { WebhookOwner } from './admin.ts';
import { takeUpReceiver } from './destinations.ts';
import { bodyBytes, newTransactionId, queueWebhookCall, type WebhookBody } from './queue.ts';
import { knownType, refuse } from './refusals.ts';
import type { WebhookType } from '../../contract/webhook-types.ts';

/** How many failed calls are sent again at a time; the rest can be requested afterwards. */
const RERUN_LIMIT = 500;
/** The user in a test event. */
const TEST_USER = { userId: 'bcu_test', referenceUserId: 'webhook-test' };

type Deps = { db: Database; clock: Clock };

/**
 * Creates a new call from an earlier one: identical except for its ID, to the currently configured address. A receiver
 * that answered 410 is asked again.
 * @throws ServiceError `webhook_not_found`
 */
export async function rerunCall(
  { db, clock }: Deps,
  owner: WebhookOwner,
  transactionId: string,
  actor: Actor,
): Promise<WebhookCallRerunResult> {
  const rerun = await db.tx(async (tx) => {
    const call = await findWebhookCall(tx, owner.scope, owner.lineageId, transactionId);
    if (!call) throw refuse('webhook_not_found', 'There is no call with this transaction_id.');
    const config = await takeUp(tx, owner, call, { actor, at: clock.now() });
    if (!config) throw notConfigured(call.type);
    const id = await copyCall(tx, owner, call, config, clock.now());
    await appendAudit(tx, {
      ...owner.scope,
      at: clock.now(),
      actor,
      action: 'webhook_call.rerun',
      subject: id,
      details: { of: transactionId },
    });
    return id;
  }, owner.scope);
  return { status: 'success', transaction_id: rerun };
}

/** Sends again what failed for good since a time, if it is still configured. Returns the new IDs. */
export async function rerunFailedSince(
  { db, clock }: Deps,
  owner: WebhookOwner,
  since: number,
  actor: Actor,
): Promise<string[]> {
  const ids = await db.tx(async (tx) => {
    const made: string[] = [];
    for (const call of await listFailedSince(tx, owner.scope, owner.lineageId, since, RERUN_LIMIT)) {
      const config = await takeUp(tx, owner, call, { actor, at: clock.now() });
      if (config) made.push(await copyCall(tx, owner, call, config, clock.now()));
    }
    const details = { since: new Date(since).toISOString(), calls: made.length };
    const action = 'webhook_call.rerun_failed';
    await appendAudit(tx, {
      ...owner.scope,
      at: clock.now(),
      actor,
      action,
      subject: owner.lineageId,
      details,
    });
    return made;
  }, owner.scope);
  return ids;
}

/**
 * Queues an event about nobody, to test a receiver. Returns its transaction ID.
 * @throws ServiceError `invalid_webhook_type`, `webhook_not_found` if the type is not configured or disabled
 */
export async function sendTestEvent(
  { db, clock }: Deps,
  owner: WebhookOwner,
  webhookType: string,
  actor: Actor,
): Promise<string> {
  const type = knownType(webhookType);
  const transactionId = await db.tx(async (tx) => {
    const at = clock.now();
    const config = await findWebhookConfig(tx, owner.scope, owner.lineageId, type);
    const isOff = config === undefined || config.disabledAt !== null;
    const id = isOff ? null : await queueWebhookCall(tx, { ...owner, ...TEST_USER, type, at });
    if (id === null) throw notConfigured(type);
    await appendAudit(tx, {
      ...owner.scope,
      at,
      actor,
      action: 'webhook_call.test',
      subject: id,
      details: { webhook_type: type },
    });
    return id;
  }, owner.scope);
  return transactionId;
}

const notConfigured = (type: WebhookType) =>
  refuse('webhook_not_found', `No webhook is configured for ${type}, or it is switched off.`);

/** The configuration that the call belongs to. A receiver that answered 410, or failed for three days, is asked again. */
async function takeUp(
  tx: SqlTx,
  { scope, lineageId }: WebhookOwner,
  call: WebhookCall,
  by: { actor: Actor; at: number },
): Promise<WebhookConfig | undefined> {
  const config = await findWebhookConfig(tx, scope, lineageId, call.type);
  if (!config) return undefined;
  if (config.disabledAt !== null) await enableWebhookConfig(tx, scope, config);
  await takeUpReceiver(tx, scope, { origin: new URL(config.destinationUrl).origin, ...by });
  return config;
}

async function copyCall(
  tx: SqlTx,
  { scope, lineageId }: WebhookOwner,
  call: WebhookCall,
  { destinationUrl }: WebhookConfig,
  createdAt: number,
): Promise<string> {
  const transactionId = newTransactionId();
  const body = JSON.parse(Buffer.from(call.body).toString('utf8')) as WebhookBody;
  await insertWebhookCall(tx, scope, {
    transactionId,
    lineageId,
    type: call.type,
    destinationUrl,
    origin: new URL(destinationUrl).origin,
    body: bodyBytes({ ...body, transaction_id: transactionId }),
    createdAt,
  });
  return transactionId;
}

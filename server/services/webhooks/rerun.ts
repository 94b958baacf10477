/**
 * Sending again, on request. A call that has ended is sent as a separate call with its own ID (contract, v1 webhook admin); in the
 * console a waiting one is only tried earlier, because a copy beside it would reach the receiver twice.
 */
import { Refusal } from '../../refusals/refusal.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { WebhookCallRerunResult } from '../../contract/v1-webhooks.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlTx } from '../../store/sql/port.ts';
import {
  findWebhookCall,
  insertWebhookCall,
  listEndedSince,
  type WebhookCall,
} from '../../store/webhooks/calls.ts';
import { hurryCalls } from '../../store/webhooks/outbox.ts';
import { enableWebhookConfig, findWebhookConfig, type WebhookConfig } from '../../store/webhooks/configs.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import type { Clock } from '../ports/clock.ts';
import type { WebhookOwner } from './admin.ts';
import { takeUpReceiver } from './destinations.ts';
import { bodyBytes, newTransactionId, queueWebhookCall, type WebhookBody } from './queue.ts';
import { knownType } from './refusals.ts';
import { reportedRun } from './reported-run.ts';
import { isV3Event, type WebhookEventType } from '../../contract/webhook-types.ts';
import { newMessageId } from './events.ts';

/** How many failed calls are sent again at a time; the rest can be requested afterwards. */
const RERUN_LIMIT = 500;
/** The user in a test event. */
const TEST_USER = { userId: 'bcu_test', referenceUserId: 'webhook-test' };

type Deps = { db: Database; clock: Clock };

/**
 * Creates a new call from an earlier one: identical except for its ID, to the currently configured address. A receiver
 * that answered 410 is asked again.
 * @throws Refusal `webhook_not_found`
 */
export async function rerunCall(
  { db, clock }: Deps,
  owner: WebhookOwner,
  transactionId: string,
  actor: Actor,
): Promise<WebhookCallRerunResult> {
  const rerun = await db.tx(async (tx) => {
    const call = await existing(tx, owner, transactionId);
    return rerunOf(tx, owner, call, { actor, at: clock.now() });
  }, owner.scope);
  return { status: 'success', transaction_id: rerun };
}

/**
 * The console's: tries a waiting call now, under its own ID, and sends an ended one again. Returns the ID of the call that is sent.
 * @throws Refusal `webhook_not_found`
 */
export function sendNow(
  { db, clock }: Deps,
  owner: WebhookOwner,
  transactionId: string,
  actor: Actor,
): Promise<string> {
  return db.tx(async (tx) => {
    const by = { actor, at: clock.now() };
    const call = await existing(tx, owner, transactionId);
    if (call.status !== 'PENDING') return rerunOf(tx, owner, call, by);
    if ((await hurry(tx, owner, by, transactionId)) === 0) return transactionId;
    const action = 'webhook_call.try_now';
    await appendAudit(tx, { ...owner.scope, ...by, action, subject: transactionId, details: {} });
    return transactionId;
  }, owner.scope);
}

/** Sends again all calls that failed permanently since a time, if they are still configured, and tries all that waits now. */
export const rerunFailedSince = (deps: Deps, owner: WebhookOwner, since: number, actor: Actor) =>
  replaySince(deps, owner, { since, isCompletedToo: false }, actor);

/** The same, or also what a receiver took. */
export async function replaySince(
  { db, clock }: Deps,
  owner: WebhookOwner,
  { since, isCompletedToo }: { since: number; isCompletedToo: boolean },
  actor: Actor,
): Promise<{ ids: string[]; waiting: number }> {
  return db.tx(async (tx) => {
    const by = { actor, at: clock.now() };
    const waiting = await hurry(tx, owner, by);
    const ids: string[] = [];
    const ended = { since, isCompletedToo, limit: RERUN_LIMIT };
    for (const call of await listEndedSince(tx, owner.scope, owner.lineageId, ended)) {
      const config = await takeUp(tx, owner, call, by);
      if (config) ids.push(await copyCall(tx, owner, call, config, by.at));
    }
    const details = { since: new Date(since).toISOString(), calls: ids.length, waiting };
    const action = 'webhook_call.rerun_failed';
    await appendAudit(tx, { ...owner.scope, ...by, action, subject: owner.lineageId, details });
    return { ids, waiting };
  }, owner.scope);
}

/**
 * Queues an event about nobody, to test a receiver. Returns its transaction ID.
 * @throws Refusal `invalid_webhook_type`, `webhook_not_found` if the type is not configured or disabled
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

async function existing(
  tx: SqlTx,
  { scope, lineageId }: WebhookOwner,
  transactionId: string,
): Promise<WebhookCall> {
  const call = await findWebhookCall(tx, scope, lineageId, transactionId);
  if (!call)
    throw new Refusal('webhook_not_found', { message: 'There is no call with this transaction_id.' });
  return call;
}

type By = { actor: Actor; at: number };

async function rerunOf(tx: SqlTx, owner: WebhookOwner, call: WebhookCall, by: By): Promise<string> {
  const config = await takeUp(tx, owner, call, by);
  if (!config) throw notConfigured(call.type);
  const id = await copyCall(tx, owner, call, config, by.at);
  const details = { of: call.transactionId };
  await appendAudit(tx, { ...owner.scope, ...by, action: 'webhook_call.rerun', subject: id, details });
  return id;
}

/** Tries waiting calls now: all of the key family, or one. Returns their number. */
async function hurry(
  tx: SqlTx,
  { scope, lineageId }: WebhookOwner,
  by: By,
  transactionId?: string,
): Promise<number> {
  const of = { lineageId, ...(transactionId !== undefined && { transactionId }) };
  const origins = await hurryCalls(tx, scope, of, by.at);
  for (const origin of new Set(origins)) await takeUpReceiver(tx, scope, { origin, ...by });
  return origins.length;
}

const notConfigured = (type: WebhookEventType) =>
  new Refusal('webhook_not_found', {
    message: `No webhook is configured for ${type}, or it is switched off.`,
  });

/** The configuration that the call belongs to. A receiver that answered 410, or failed for three days, is asked again. */
async function takeUp(
  tx: SqlTx,
  { scope, lineageId }: WebhookOwner,
  call: WebhookCall,
  by: By,
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
  const isV3 = isV3Event(call.type);
  const transactionId = isV3 ? newMessageId() : newTransactionId();
  const body = isV3 ? call.body : renamed(call.body, transactionId);
  await insertWebhookCall(tx, scope, {
    transactionId,
    lineageId,
    type: call.type,
    destinationUrl,
    origin: new URL(destinationUrl).origin,
    body,
    createdAt,
  });
  const run = await reportedRun(tx, scope, call);
  if (run) {
    // An erasure finds by it what receivers answer to the copy.
    const details = { transaction_id: transactionId, type: call.type };
    await insertRunEvent(tx, scope, run.sessionId, { at: createdAt, kind: 'webhook', details });
  }
  return transactionId;
}

/** The body of v1 with another ID. */
const renamed = (body: Uint8Array, transactionId: string): Uint8Array =>
  bodyBytes({
    ...(JSON.parse(Buffer.from(body).toString('utf8')) as WebhookBody),
    transaction_id: transactionId,
  });

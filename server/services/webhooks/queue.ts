/** Puts webhook calls into the outbox, in the transaction of the change that causes them (decisions §4.9). */
import { randomUUID } from 'node:crypto';
import type { WebhookType } from '../../contract/webhook-types.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { insertWebhookCall } from '../../store/webhooks/calls.ts';
import { findWebhookConfig, type WebhookConfig } from '../../store/webhooks/configs.ts';
import { failWaitingCalls } from '../../store/webhooks/outbox.ts';

/** The event and its user. */
type WebhookEvent = {
  scope: Scope;
  /** Key family that the user was registered with. */
  lineageId: string;
  /** `bcu_…`. */
  userId: string;
  referenceUserId: string;
  type: WebhookType;
  /** Epoch milliseconds; the body's `created_at`. */
  at: number;
};

/** The body on the wire (contract, "v1 webhooks"), in this order. */
export type WebhookBody = {
  transaction_id: string;
  user_id: string;
  reference_user_id: string;
  type: WebhookType;
  payload: Record<string, never>;
  created_at: string;
};

export const newTransactionId = (): string => `ewh:${randomUUID()}`;

export const bodyBytes = (body: WebhookBody): Uint8Array => Buffer.from(JSON.stringify(body), 'utf8');

/**
 * Queues the call if the key family has a configuration of this type; the commit wakes the scheduler. If the receiver
 * answered 410, the call is written as failed, so that the event is listed and can be sent later.
 * @returns its transaction ID, or null if no configuration asks for the event
 */
export async function queueWebhookCall(tx: SqlTx, event: WebhookEvent): Promise<string | null> {
  const { scope, lineageId, type, at } = event;
  const config = await findWebhookConfig(tx, scope, lineageId, type);
  if (!config) return null;
  const transactionId = newTransactionId();
  const body = bodyBytes({
    transaction_id: transactionId,
    user_id: event.userId,
    reference_user_id: event.referenceUserId,
    type,
    payload: {},
    created_at: new Date(at).toISOString(),
  });
  await queueTo(tx, scope, config, { transactionId, body, at });
  return transactionId;
}

/** Queues one call for a configuration; written as failed if its receiver answered 410. */
export async function queueTo(
  tx: SqlTx,
  scope: Scope,
  { lineageId, type, destinationUrl, disabledAt }: WebhookConfig,
  { transactionId, body, at }: { transactionId: string; body: Uint8Array; at: number },
): Promise<void> {
  await insertWebhookCall(tx, scope, {
    transactionId,
    lineageId,
    type,
    destinationUrl,
    origin: new URL(destinationUrl).origin,
    body,
    createdAt: at,
  });
  if (disabledAt !== null)
    await failWaitingCalls(tx, scope, { lineageId, type, transactionId }, { at, why: 'destination_gone' });
}

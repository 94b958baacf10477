/**
 * Events of v3, queued in the transaction of what they report, for every webhook of the company and partition that
 * asks for them. They carry no address and no number of a person, only the customer's own IDs; a confirmation has the rest.
 */
import { randomUUID } from 'node:crypto';
import type { EventData, V3Event } from '../../contract/v3-webhooks.ts';
import { isVerified } from '../../domain/passes/pass.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Pass } from '../../store/passes/passes.ts';
import { isOfControl } from '../../store/reviews/controls.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { listConfigsOfType, type WebhookConfig } from '../../store/webhooks/configs.ts';
import { iso } from '../wire/values.ts';
import { queueTo } from './queue.ts';

/** Of one person, as many as a body surely has room for. */
const MOST_EXTERNAL_IDS = 10;

/** The same over all attempts; receivers know a repetition by it. */
export const newMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;

export const eventBody = <E extends V3Event>(type: E, data: EventData[E], at: number): Uint8Array =>
  Buffer.from(JSON.stringify({ type, timestamp: iso(at), data }));

/** @param event `at`: its own time, in epoch milliseconds; `data` is asked only if somebody wants the event */
export async function queueEvent<E extends V3Event>(
  tx: SqlTx,
  scope: Scope,
  event: { type: E; data: () => EventData[E] | Promise<EventData[E]>; at: number },
): Promise<void> {
  const configs = await listConfigsOfType(tx, scope, event.type);
  if (configs.length === 0) return;
  const { type, at } = event;
  const data = await event.data();
  if ('session_id' in data && data.session_id !== null && (await isOfControl(tx, data.session_id))) return;
  const body = eventBody(type, data, at);
  const sessionId = 'session_id' in data ? data.session_id : null;
  for (const config of configs) {
    const transactionId = await queueMessage(tx, scope, config, { body, at });
    if (sessionId === null) continue;
    // For the run's timeline, and so that an erasure finds what receivers answered.
    const details = { transaction_id: transactionId, type };
    await insertRunEvent(tx, scope, sessionId, { at, kind: 'webhook', details });
  }
}

/** Queues one message for one webhook. Returns its ID. */
export async function queueMessage(
  tx: SqlTx,
  scope: Scope,
  config: WebhookConfig,
  { body, at }: { body: Uint8Array; at: number },
): Promise<string> {
  const transactionId = newMessageId();
  await queueTo(tx, scope, config, { transactionId, body, at });
  return transactionId;
}

type Verdict = Pick<
  Pass,
  | 'verificationId'
  | 'externalId'
  | 'status'
  | 'reasons'
  | 'declined'
  | 'group'
  | 'lockedAt'
  | 'revokedAt'
  | 'settledAt'
>;
type RunRequest = { id: string; request: { externalId: string | null } };

/** A run has a verdict, or another one by hand. */
export const tellSettled = (
  tx: SqlTx,
  scope: Scope,
  session: RunRequest | null,
  pass: () => Verdict | Promise<Verdict>,
  at: number,
): Promise<void> =>
  queueEvent(tx, scope, {
    type: 'run.settled',
    at,
    async data() {
      const settled = await pass();
      return {
        session_id: session?.id ?? null,
        verification_id: settled.verificationId,
        external_id: session?.request.externalId ?? settled.externalId,
        status: settled.status,
        verified: isVerified(settled),
        reasons: [...settled.reasons],
        declined: settled.declined,
        group: settled.group,
        settled_at: iso(settled.settledAt),
        is_test: scope.partition === 'test',
      };
    },
  });

/** The customer's own IDs of a person, as far as they fit. */
export const externalIdsOf = (
  ids: readonly string[],
): { external_ids: string[]; more_external_ids: number } => ({
  external_ids: ids.slice(0, MOST_EXTERNAL_IDS),
  more_external_ids: Math.max(0, ids.length - MOST_EXTERNAL_IDS),
});

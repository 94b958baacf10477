/** Messages of a v3 webhook: what was sent and answered, sending again, and events with sample data. */
import type {
  CALL_STATES,
  EventData,
  ReplayResult,
  WebhookMessage,
  WebhookMessages,
} from '../../contract/v3-webhooks.ts';
import { isV3Event, type V3Event } from '../../contract/webhook-types.ts';
import { decodeCursor, toPage } from '../../domain/cursor.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findWebhookCall, listWebhookCalls, type WebhookCall } from '../../store/webhooks/calls.ts';
import { listConfigsOfType, type WebhookConfig } from '../../store/webhooks/configs.ts';
import { listAttemptsOf } from '../../store/webhooks/events.ts';
import { Refusal, ValidationError } from '../../refusals/refusal.ts';
import type { Ports } from '../ports/ports.ts';
import { iso } from '../wire/values.ts';
import { callTimes, eventItem } from './admin.ts';
import { eventBody, queueMessage } from './events.ts';
import { replaySince, rerunCall } from './rerun.ts';
import { existing } from './v3-webhooks.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;
type State = (typeof CALL_STATES)[number];
const STATUS = { pending: 'PENDING', completed: 'COMPLETED', failed: 'FAILED' } as const;
const STATE = { PENDING: 'pending', COMPLETED: 'completed', FAILED: 'failed' } as const;

/** Newest first. @throws Refusal `webhook_not_found`; ValidationError for a cursor of no page */
export async function listMessages(
  db: SqlReader,
  scope: Scope,
  webhookId: string,
  { status, limit, cursor }: { status?: State; limit: number; cursor?: string },
): Promise<WebhookMessages> {
  await existing(db, scope, webhookId);
  const before = cursor === undefined ? null : decodeCursor(cursor, ['number']);
  if (cursor !== undefined && before === null)
    throw new ValidationError([
      { type: 'value_error', loc: ['query', 'cursor'], msg: 'Value error, not a cursor', input: cursor },
    ]);
  const rows = await listWebhookCalls(db, scope, webhookId, {
    limit: limit + 1,
    beforeSeq: before?.[0] ?? null,
    status: status === undefined ? null : STATUS[status],
  });
  return toPage(rows, limit, ({ seq }) => [seq], toMessage);
}

/** @throws Refusal `webhook_not_found`, `not_found` */
export async function readMessage(
  db: SqlReader,
  scope: Scope,
  webhookId: string,
  messageId: string,
): Promise<WebhookMessage> {
  await existing(db, scope, webhookId);
  const call = await findWebhookCall(db, scope, webhookId, messageId);
  if (!call) throw new Refusal('not_found');
  const attempts = await listAttemptsOf(db, scope, webhookId, messageId);
  return {
    ...toMessage(call),
    body: Buffer.from(call.body).toString('utf8'),
    tries: attempts.map((event) => {
      const { transaction_id: _of, ...item } = eventItem(event);
      return item;
    }),
  };
}

function toMessage(call: WebhookCall): WebhookMessages['items'][number] {
  const { type } = call;
  if (!isV3Event(type)) throw new Error(`A webhook of v3 has a call of ${type}.`);
  const { transaction_id: messageId, status, ...progress } = callTimes(call);
  return { message_id: messageId, type, status: STATE[status], ...progress };
}

/** Sends a message again, under a new ID. @throws Refusal `webhook_not_found`, `not_found` */
export async function replayMessage(
  deps: Deps,
  { scope, actor }: { scope: Scope; actor: Actor },
  { webhookId, messageId }: { webhookId: string; messageId: string },
): Promise<string> {
  await readMessage(deps.db, scope, webhookId, messageId);
  const owner = { scope, lineageId: webhookId };
  return (await rerunCall(deps, owner, messageId, actor)).transaction_id;
}

/** @throws Refusal `webhook_not_found` */
export async function replayMessages(
  deps: Deps,
  { scope, actor }: { scope: Scope; actor: Actor },
  webhookId: string,
  { sinceMs, isCompletedToo }: { sinceMs: number; isCompletedToo: boolean },
): Promise<ReplayResult> {
  await existing(deps.db, scope, webhookId);
  const owner = { scope, lineageId: webhookId };
  const { ids, waiting } = await replaySince(deps, owner, { since: sinceMs, isCompletedToo }, actor);
  return { message_ids: ids, waiting };
}

/**
 * Queues an event with sample data for one webhook, or for all of the scope that ask for it. Returns the IDs.
 * @throws Refusal `webhook_not_found`, `event_not_sent` if the webhook does not ask for it
 */
export async function sendSample(
  { db, clock }: Deps,
  { scope, actor }: { scope: Scope; actor: Actor },
  { webhookId, type }: { webhookId: string | null; type: V3Event },
): Promise<string[]> {
  return db.tx(async (tx) => {
    const at = clock.now();
    if (webhookId !== null) await existing(tx, scope, webhookId);
    const asking = (await listConfigsOfType(tx, scope, type)).filter(
      ({ lineageId, disabledAt }: WebhookConfig) =>
        webhookId === null || (lineageId === webhookId && disabledAt === null),
    );
    if (asking.length === 0 && webhookId !== null) throw new Refusal('event_not_sent');
    const body = eventBody(type, sampleOf(at, scope)[type], at);
    const ids: string[] = [];
    for (const config of asking) {
      const subject = await queueMessage(tx, scope, config, { body, at });
      const details = { webhook_type: type };
      await appendAudit(tx, { ...scope, at, actor, action: 'webhook_call.test', subject, details });
      ids.push(subject);
    }
    return ids;
  }, scope);
}

const SAMPLE_ID = '00000000-0000-7000-8000-000000000000';

/** About nobody: IDs of zeros, and `external_id` says so. */
export function sampleOf(at: number, { partition }: Pick<Scope, 'partition'>): EventData {
  const run = {
    session_id: 'vs_sample',
    verification_id: SAMPLE_ID,
    external_id: 'sample',
  };
  const isTest = partition === 'test';
  const person = { external_ids: ['sample'], more_external_ids: 0 };
  return {
    'run.settled': {
      ...run,
      status: 'approved',
      verified: true,
      reasons: [],
      declined: false,
      group: null,
      settled_at: iso(at),
      is_test: isTest,
    },
    'run.review_opened': { ...run, case_id: SAMPLE_ID, reasons: ['collision'], group: null },
    'review.decided': { ...run, case_id: SAMPLE_ID, decision: 'different_people' },
    'pass.locked': { ...run, passes: 1 },
    'pass.unlocked': { ...run, passes: 1 },
    'person.disconnected': person,
    'person.erased': person,
    'usage.cap_reached': { day: iso(at).slice(0, 10), cap: 66_000, is_test: isTest },
  };
}
